"""What is printed: the catalogue of pieces, and the plan that builds a Board from them."""
