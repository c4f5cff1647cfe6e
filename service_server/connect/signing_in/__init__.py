"""Ways to sign in: at the provider's page or with what is typed in; verification, and words for what goes wrong."""
