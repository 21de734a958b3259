"""Pictures, drawn by Altair."""
