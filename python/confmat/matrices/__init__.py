"""How confusion matrices are made, what follows from them, and how they are shown and saved."""
