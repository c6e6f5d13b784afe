// Arithmetic on measured figures.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The value that this part of the values does not exceed. */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))];
}

/** Least squares: the weights w that make rows·w come closest to values. Few unknowns, well-conditioned rows. */
export function leastSquares(rows, values) {
  const size = rows[0].length;
  // The normal equations, with their right side as one more column, solved by elimination with pivoting.
  const matrix = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) => rows.reduce((sum, row) => sum + row[i] * row[j], 0)),
    rows.reduce((sum, row, k) => sum + row[i] * values[k], 0),
  ]);
  for (let i = 0; i < size; ++i) {
    const pivot = matrix.slice(i).reduce((best, row) => (Math.abs(row[i]) > Math.abs(best[i]) ? row : best));
    matrix.splice(matrix.indexOf(pivot), 1);
    matrix.splice(i, 0, pivot);
    for (const row of matrix) {
      if (row === pivot) continue;
      const factor = row[i] / pivot[i];
      for (let j = i; j <= size; ++j) row[j] -= factor * pivot[j];
    }
  }
  return matrix.map((row, i) => row[size] / row[i]);
}
