// Where the columns of a line stand: tabs, wide and combining signs have widths of their own.

// Calls `read` with a function that gives the left and right edge of a column, in pixels from the
// begin of the line. `ruler` is an unseen element in the font of the text.
function measured(ruler, line, read) {
  ruler.textContent = line;
  const from = ruler.getBoundingClientRect().left,
    range = new Range();
  const found = read((column) => {
    range.setStart(ruler.firstChild, column);
    range.setEnd(ruler.firstChild, column + 1);
    const { left, right } = range.getBoundingClientRect();
    return [left - from, right - from];
  });
  ruler.textContent = "";
  return found;
}

// The distance of a column from the begin of its line; a column behind the end is the end.
export function distance(ruler, line, column) {
  if (!line) return 0;
  const end = column >= line.length;
  return measured(ruler, line, (edges) => edges(end ? line.length - 1 : column)[end ? 1 : 0]);
}

// The column at a distance from the begin of its line; the length of the line behind its end.
export function columnAt(ruler, line, px) {
  if (!line) return 0;
  return measured(ruler, line, (edges) => {
    let [low, high] = [0, line.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edges(middle)[1] <= px) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
