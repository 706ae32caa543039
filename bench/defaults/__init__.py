"""The problems that automatic choices are judged on, and how (docs/defaults.md). Not private."""
