"""Languages: each is one file of sentences, from the English ones that the package forms."""
