"""Ways of signing in: at the provider's page or with what is typed in, verified, with words for what goes wrong."""
