"""Private logistic regression by other libraries, each in an environment of its own."""
