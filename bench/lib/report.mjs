// Collects figures and prints them: as text, as Markdown, as JSON.

const decimals = (value) => (Number.isInteger(value) || value >= 1000 ? 0 : value >= 100 ? 1 : value >= 1 ? 2 : 3);
const units = { '/s': (value) => `${number(value)}/s`, MiB: (value) => `${number(value / 2 ** 20)} MiB` };

export function number(value) {
  const digits = decimals(Math.abs(value));
  return value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

const withUnit = (value, unit) => (unit in units ? units[unit](value) : unit ? `${number(value)} ${unit}` : number(value));

const ratioText = (ratio) => (ratio >= 0.01 ? ratio.toFixed(2) : `1/${number(Math.round(1 / ratio))}`);

// A table of equal rows of cells, aligned.
function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  ').trimEnd()).join('\n');
}

const markdown = ([head, ...rows]) => [head, head.map(() => '---'), ...rows]
  .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');

export class Report {
  constructor(size) {
    this.size = size;
    this.machine = {};
    this.figures = [];
    this.answers = [];
    this.steps = [];
    this.notes = [];
  }

  /**
   * A figure: {name, unit, quire, peer: {name, value}, ratio,
   * wanted: {at: 'max' or 'min', of: 'ratio' or 'quire', value}}.
   * A field that is not given stays empty. A peer gives a ratio, unless `ratio` is null.
   */
  add(figure) {
    const ratio = figure.peer && figure.ratio === undefined ? figure.quire / figure.peer.value : figure.ratio;
    this.figures.push({ ...figure, ratio, met: met({ ...figure, ratio }) });
  }

  /** An answer that was measured: {name, path, bytes, hash, plan}. */
  answer(answer) { this.answers.push(answer); }

  /** What a step of a request costs within the process: {name, nanoseconds}. */
  step(step) { this.steps.push(step); }

  /** A remark below the figures. */
  note(line) { this.notes.push(line); }

  print({ asMarkdown }) {
    const table = asMarkdown ? markdown : aligned;
    const sections = [this.head(asMarkdown)];
    const add = (title, rows) => {
      if (rows.length > 1) sections.push(`${asMarkdown ? `### ${title}\n` : title}\n${table(rows)}`);
    };
    add('Figures', this.figureRows());
    add('Answers measured', this.answerRows(asMarkdown));
    const steps = this.steps.map(({ name, nanoseconds }) => [name, `${number(nanoseconds / 1000)} µs`]);
    add('Steps within the process', [['step', 'time'], ...steps]);
    if (this.notes.length > 0) sections.push(this.notes.map((line) => (asMarkdown ? `- ${line}` : line)).join('\n'));
    return `${sections.join('\n\n')}\n`;
  }

  head(asMarkdown) {
    const facts = Object.entries(this.machine).map(([name, value]) => [name, String(value)]);
    const meaning = this.size.small ? ': the small size, whose figures say only that all of it still works' : '';
    facts.push(['size', `${number(this.size.comments)} comments${meaning}`]);
    return asMarkdown ? `${facts.map(([name, value]) => `${name}: ${value}`).join('; ')}.` : aligned(facts);
  }

  figureRows() {
    return [['figure', 'Quire', 'peer', 'ratio', 'wanted', ''],
      ...this.figures.map(({ name, unit, quire, peer, ratio, wanted, met: reached }) => [
        name,
        withUnit(quire, unit),
        peer ? `${peer.name}: ${withUnit(peer.value, unit)}` : '',
        typeof ratio === 'number' ? ratioText(ratio) : '',
        wanted ? wantedText(wanted, unit) : '',
        this.size.small || reached === undefined ? '' : reached,
      ])];
  }

  answerRows(asMarkdown) {
    const code = asMarkdown ? (text) => `\`${text}\`` : (text) => text;
    return [['answer', 'address', 'bytes', 'SHA-256', 'plan'],
      ...this.answers.map(({ name, path, bytes, hash, plan }) => [name, code(shortened(path)), String(bytes), hash, plan ?? ''])];
  }
}

// Cursors are left out: they tell a reader nothing.
const shortened = (path) => path.replace(/(after|before)=([\w-]{6})[\w-]+/, '$1=$2…');

function met({ quire, ratio, wanted }) {
  if (!wanted) return undefined;
  const value = wanted.of === 'ratio' ? ratio : quire;
  if (value === undefined) return undefined;
  return (wanted.at === 'max' ? value <= wanted.value : value >= wanted.value) ? 'met' : 'missed';
}

function wantedText({ at, of, value }, unit) {
  return `${at === 'max' ? '≤' : '≥'} ${of === 'ratio' ? value : withUnit(value, unit)}`;
}
