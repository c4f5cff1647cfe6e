"""What both the server and the browser show: templates, styles, scripts and the built SDK bundle."""
