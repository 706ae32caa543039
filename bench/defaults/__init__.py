"""The problems that automatic choices are judged on, and how (docs/research/rules.md). Not private."""
