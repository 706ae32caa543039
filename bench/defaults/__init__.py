"""The problems that automatic choices are judged on (docs/research/rules.md). Not private."""
