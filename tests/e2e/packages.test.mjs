// What users install with `cmake --install`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { binary, root, temporaryDirectory } from './support/harness.mjs';

function output(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout + stderr;
}

const names = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
const needed = (file) => names(output('readelf', ['--wide', '--dynamic', file]), /\(NEEDED\).*\[(\S+)\]/g);

/** The commands and the options that a --help shows. */
function shownBy(...command) {
  const text = output(binary, [...command, '--help']);
  const commands = /\bSUBCOMMAND|\bCOMMAND/.test(text.split('\n', 3).join('\n')) ? names(text, /^ {2}([a-z]+)(?= |$)/gm) : [];
  return { commands, options: names(text, /^ {2}(?:-\w,)?(--[a-z-]+)/gm) };
}

describe('the library', () => {
  const prefix = join(temporaryDirectory(), 'prefix');
  const example = join(root, 'examples/library');

  before(() => output('cmake', ['--install', dirname(binary), '--prefix', prefix]));

  function runs(program) {
    const folder = temporaryDirectory();
    assert.equal(output(program, [], { cwd: folder }), '5 Fits\n');
    assert.ok(existsSync(join(folder, 'shop-data/data.mdb')));
  }

  test('is found by find_package, and a program links it', () => {
    const folder = temporaryDirectory();
    output('cmake', ['-S', example, '-B', folder, `-DCMAKE_PREFIX_PATH=${prefix}`]);
    output('cmake', ['--build', folder]);
    runs(join(folder, 'shop'));
  });

  test('is found by pkg-config, which names the libraries that it needs, and no others', () => {
    const env = { ...process.env, PKG_CONFIG_PATH: join(prefix, 'lib/pkgconfig') };
    const flags = output('pkg-config', ['--cflags', '--libs', 'quire'], { env }).trim().split(/\s+/);
    const program = join(temporaryDirectory(), 'shop');
    output('g++', ['-std=c++20', join(example, 'main.cc'), '-o', program, '-Wl,--as-needed', ...flags]);
    runs(program);
    const linked = flags.filter((flag) => flag.startsWith('-l') && flag !== '-lquire').map((flag) => `lib${flag.slice(2)}.so`).sort();
    const used = needed(program).map((file) => file.replace(/\.so.*/, '.so'));
    assert.deepEqual(used.filter((file) => !/^(libstdc\+\+|libm|libgcc_s|libc)\.so$|^ld-/.test(file)), linked);
  });

  test('shows a program no names but its own', () => {
    const symbols = output('nm', ['--extern-only', '--defined-only', '--format=just-symbols', join(prefix, 'lib/libquire.a')]);
    const shown = names(symbols, /^(_\w+)$/gm);
    assert.ok(shown.length > 100);
    assert.deepEqual(shown.filter((name) => !/^_ZNK?5quire/.test(name)), []);
  });

  test('is configured without the packages of the server and of the tests', () => {
    const folder = temporaryDirectory();
    const options = ['SERVER', 'TESTS', 'BENCH'].map((part) => `-DQUIRE_${part}=OFF`);
    output('cmake', ['-S', root, '-B', folder, '-G', 'Ninja', ...options]);
    const looked = readFileSync(join(folder, 'CMakeCache.txt'), 'utf8');
    assert.match(looked, /^LMDB:/m);
    assert.doesNotMatch(looked, /^(CLI11|prometheus|CTEMPLATE|GTest|benchmark|Protobuf)/mi);
    assert.doesNotMatch(readFileSync(join(folder, 'build.ninja'), 'utf8'), /quire_(http|cli|lambda)|_test\b/);
  });
});

describe('what is made of --help', () => {
  const manual = join(dirname(binary), 'manual');
  const page = (name) => output('groff', ['-man', '-Tutf8', '-ww', join(manual, `man1/${name}.1`)], { env: { ...process.env, GROFF_NO_SGR: '1' } }).replace(/.\x08/g, '');
  const all = shownBy();

  /** The words that bash offers behind a line. */
  function offered(line) {
    const words = line.split(' ');
    const script = '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quire; echo "${COMPREPLY[@]}"';
    return output('bash', ['-c', script, 'bash', join(manual, 'quire'), ...words]).trim().split(' ').filter(Boolean).sort();
  }

  test('the program has a page of the manual, and so has each command, with all their options', () => {
    assert.ok(all.commands.length >= 17);
    assert.deepEqual(readdirSync(join(manual, 'man1')).sort(), ['quire.1', ...all.commands.map((name) => `quire-${name}.1`)].sort());
    for (const command of [[], ...all.commands.map((name) => [name])]) {
      const text = page(['quire', ...command].join('-'));
      const { commands, options } = shownBy(...command);
      for (const below of commands) assert.ok(text.includes(below), `${command}: ${below}`);
      const deeper = command.length > 0 ? commands.flatMap((below) => shownBy(...command, below).options) : [];
      for (const option of [...options, ...deeper]) {
        if (option !== '--help') assert.match(text, new RegExp(`^ +${option}\\b`, 'm'), `${command}: ${option}`);
      }
    }
  });

  test('bash completes commands, options and files', () => {
    assert.deepEqual(offered('quire '), all.commands);
    assert.deepEqual(offered('quire ser'), ['serve']);
    assert.deepEqual(offered('quire --store ./x ta'), ['table']);
    assert.deepEqual(offered('quire --store = ./x ta'), ['table']);
    assert.deepEqual(offered('quire table '), shownBy('table').commands);
    assert.deepEqual(offered('quire table create --read'), ['--read-units']);
    for (const option of shownBy('serve').options) assert.ok(offered('quire serve -').includes(option), option);
    assert.ok(offered('quire serve --').includes('--store'));
    assert.deepEqual(offered('quire serve --tokens '), []); // then bash offers files
  });

  test('the configuration explains every option of the server, and each line of it is taken', () => {
    const text = readFileSync(join(manual, 'quire.toml'), 'utf8');
    const explained = names(text, /^#.*\n#?([a-z-]+) = /gm);
    assert.deepEqual(explained, [...shownBy('serve').options.filter((option) => option !== '--help'), '--store', '--pages'].map((option) => option.slice(2)).sort());
    assert.deepEqual(names(text, /^([a-z-]+ = .*)$/gm), ['store = "lmdb:/var/lib/quire/store"', 'tokens = "/etc/quire/tokens"']);
    const file = join(temporaryDirectory(), 'quire.toml');
    writeFileSync(file, text.replace(/^#([a-z-]+) = "[A-Z].*\n/gm, '').replace(/^#([a-z-]+ = )/gm, '$1'));
    const { status, stderr } = spawnSync(binary, ['--config', file, 'verify', '--store', 'lmdb:/nowhere/at-all'], { encoding: 'utf8' });
    assert.equal(status, 1, stderr); // 2 were wrong usage
  });
});
