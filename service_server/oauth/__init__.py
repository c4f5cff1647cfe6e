"""Third-party credentials in use: OAuth2 grants, the one refresher per account, and what a call may send."""
