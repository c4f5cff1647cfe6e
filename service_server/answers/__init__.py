"""What an app's answer says: its body as it is relayed, the part a query picks, what error it is, what follows."""
