"""Other games on the same board: movement models of three more rulebooks over one engine."""
