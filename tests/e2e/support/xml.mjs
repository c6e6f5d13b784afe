// A small strict reader of the XML 1.0 that feeds and sitemaps use. XML that is not well-formed is an error.

const isCharacter = (code) => code === 9 || code === 10 || code === 13 || (code >= 0x20 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd) || code >= 0x10000;
const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text) {
  if (/&(?!#\d+;|#x[0-9A-Fa-f]+;|(amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`a bare ampersand or an unknown entity in ${JSON.stringify(text.slice(0, 200))}`);
  return text.replace(/&(#x?)?(\w+);/g, (whole, number, name) => {
    if (!number) return named[name];
    const code = parseInt(name, number === '#x' ? 16 : 10);
    if (!isCharacter(code)) throw new Error(`${whole} is no character of XML`);
    return String.fromCodePoint(code);
  });
}

function attributesOf(text) {
  const attributes = {};
  const rest = text.replace(/\s+([\w:-]+)="([^"<]*)"/g, (_, name, value) => {
    if (name in attributes) throw new Error(`${name} twice in ${text}`);
    attributes[name] = decode(value);
    return '';
  });
  if (rest.trim()) throw new Error(`not well-formed: ${rest}`);
  return attributes;
}

/** The root element: {name, attributes, children, text}. */
export function parseXml(source) {
  for (const character of source) if (!isCharacter(character.codePointAt(0))) throw new Error(`U+${character.codePointAt(0).toString(16)} is no character of XML`);
  const declared = /^<\?xml version="1\.0" encoding="utf-8"\?>\n/.exec(source);
  if (!declared) throw new Error(`no XML declaration at the beginning: ${JSON.stringify(source.slice(0, 80))}`);
  const top = { children: [], text: '' };
  const open = [top];
  const token = /([^<]+)|<(\/?)([\w:-]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|(<)/gy;
  token.lastIndex = declared[0].length;
  for (let match; token.lastIndex < source.length && (match = token.exec(source));) {
    const [, text, closing, name, attributes, alone, stray] = match;
    if (stray) throw new Error(`not well-formed: ${source.slice(match.index, match.index + 200)}`);
    if (text?.includes(']]>')) throw new Error(`]]> in ${text.slice(0, 200)}`);
    if (text !== undefined) open.at(-1).text += decode(text);
    else if (closing && open.length > 1 && open.at(-1).name === name) open.pop();
    else if (closing) throw new Error(`</${name}> closes ${open.at(-1).name}`);
    else {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      open.at(-1).children.push(element);
      if (!alone) open.push(element);
    }
  }
  if (open.length !== 1 || top.children.length !== 1 || top.text.trim()) throw new Error(`not one whole root element: ${top.children.length}, ${open.length - 1} open`);
  return top.children[0];
}

/** The children of that name, and their text. */
export const childrenOf = (element, name) => element.children.filter((child) => child.name === name);
export const textOf = (element, name) => childrenOf(element, name)[0]?.text;
