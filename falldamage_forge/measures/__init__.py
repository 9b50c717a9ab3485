"""What makes a map good to play: measures of boards, each with a verdict."""
