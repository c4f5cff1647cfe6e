"""Makes all files of a release; `./dev release` runs it. Not shipped."""
