"""What users see: each screen holds state, returns HTML and takes gestures; none knows about browsers."""
