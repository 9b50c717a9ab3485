// Colours of outlines on the board, the same in every theme.
export const TINTS = {
  legal: "#0d6b41",
  illegal: "#a01d12",
  choice: "#1a5c86",
  move: "#0a5c5c",
  acting: "#f4c542",
  lit: "#8a3d7a",
  pointer: "#1a5c86",
};
// Colours of the sides of a game.
export const SIDES = { red: "#b3322a", blue: "#1c5aa6" };

// A colour `#rrggbb` as shares of 1.
export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
export const tint = (hex, share) => [...rgb(hex), share];
