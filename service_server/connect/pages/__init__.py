"""What the browser sees: `routes` takes what it sends, `steps` says what to show, `responses` shows it."""
