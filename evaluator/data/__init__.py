"""What Anki stored, and the table of reviews that is made of it."""
