"""What the service's own pages have in common: templates and headers, cookies and form tokens."""
