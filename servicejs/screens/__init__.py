"""What users see: each screen holds state, gives HTML and takes gestures back; none knows a browser."""
