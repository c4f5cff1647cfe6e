"""Finding secrets in texts of others: by the names they stand under, and in every spelling of themselves."""
