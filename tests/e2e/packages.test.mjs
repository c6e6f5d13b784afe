// What users install: `cmake --install`, the Debian packages and the container, each as they find it: in a folder, or in a
// fresh Debian 12.
// Only in ./test --all: other programs.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { before, describe, test } from 'node:test';
import { build, stages } from './support/containerfile.mjs';
import { Debian } from './support/debian.mjs';
import { keys, startDynamoDb } from './support/dynamodb.mjs';
import { binary, root, temporaryDirectory } from './support/harness.mjs';
import { freePort } from './support/servers/servers.mjs';
import { Service } from './support/service.mjs';
import { standForSystemd } from './support/systemd.mjs';
import { piped, typeExamples } from './support/typed.mjs';

function output(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stdout + stderr}`);
  return stdout + stderr;
}

const names = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
const needed = (file) => names(output('readelf', ['--wide', '--dynamic', file]), /\(NEEDED\).*\[(\S+)\]/g);

/** The command of docs/installing.md that begins so; its lines are one. */
function documented(beginning) {
  const text = readFileSync(join(root, 'docs/installing.md'), 'utf8').replace(/ \\\n */g, ' ');
  const [command] = text.split('\n').filter((line) => line.startsWith(beginning));
  assert.ok(command, `docs/installing.md has a command ${beginning}`);
  return command.replace(/ +#.*/, '');
}

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
    const program = join(temporaryDirectory(), 'shop');
    output('sh', ['-c', documented('g++ ').replace('g++', 'g++ -Wl,--as-needed').replace('-o shop', `-o ${program}`)], { cwd: example, env });
    runs(program);
    const flags = output('pkg-config', ['--libs', 'quire'], { env }).trim().split(/\s+/);
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
    output('sh', ['-c', `${documented('cmake -S ').replace('build/library', folder)} -G Ninja`], { cwd: root });
    const looked = readFileSync(join(folder, 'CMakeCache.txt'), 'utf8');
    assert.match(looked, /^LMDB:/m);
    assert.doesNotMatch(looked, /^(CLI11|prometheus|CTEMPLATE|GTest|benchmark|Protobuf)/mi);
    assert.doesNotMatch(readFileSync(join(folder, 'build.ninja'), 'utf8'), /quire_(http|cli|lambda)(_|\b)|_test\b/);
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
    assert.deepEqual(offered('quire serve --demo --lis'), ['--listen']); // --demo has no value
    assert.deepEqual(offered('quire serve --tokens '), []); // then bash offers files
  });

  test('the configuration explains every option of the server, and each line of it is taken', () => {
    const text = readFileSync(join(manual, 'quire.toml'), 'utf8');
    const explained = names(text, /^#.*\n#?([a-z-]+) = /gm);
    assert.deepEqual(explained, [...shownBy('serve').options.filter((option) => option !== '--help'), '--store', '--pages'].map((option) => option.slice(2)).sort());
    assert.deepEqual(names(text, /^([a-z-]+ = .*)$/gm), ['store = "lmdb:/var/lib/quire/store"', 'tokens = "/etc/quire/tokens"']);
    assert.match(text, /^#demo = false$/m);
    const file = join(temporaryDirectory(), 'quire.toml');
    writeFileSync(file, text.replace(/^#([a-z-]+) = "[A-Z].*\n/gm, '').replace(/^#([a-z-]+ = )/gm, '$1'));
    const { status, stderr } = spawnSync(binary, ['--config', file, 'verify', '--store', 'lmdb:/nowhere/at-all'], { encoding: 'utf8' });
    assert.equal(status, 1, stderr); // 2 were wrong usage
  });
});

test('a build that is named is packaged as it is: tests beside run its program', () => {
  const folder = temporaryDirectory();
  for (const [name, makes] of [['cmake', 'true'], ['cpack', 'mkdir packages; touch packages/quire.deb']]) {
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} "$@" >> ${folder}/called\n${makes}\n`, { mode: 0o755 });
  }
  const called = () => readFileSync(join(folder, 'called'), 'utf8');
  const named = join(folder, 'build');
  mkdirSync(named);
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  assert.equal(output(join(root, 'tools/package'), [named], { env }), `${named}/packages/quire.deb\n`);
  assert.equal(called(), 'cpack -G DEB -B packages\n');
});

describe('in a fresh Debian 12', () => {
  let packages;
  before(() => { packages = execFileSync(join(root, 'tools/package'), [dirname(binary)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim().split('\n'); });

  const packageOf = (name) => packages.find((file) => basename(file).startsWith(`${name}_`));
  const dependencies = (name) => output('dpkg-deb', ['--field', packageOf(name), 'Depends']).trim().split(', ').map((each) => each.replace(/ \([^)]*\)/g, ''));

  async function treeWithPackages() {
    const tree = await Debian.make();
    for (const file of packages) copyFileSync(file, tree.path(`root/${basename(file)}`));
    tree.must('apt-get', 'update');
    return tree;
  }

  const inTree = (name) => `/root/${basename(packageOf(name))}`;

  test('the service installs, serves as its own user, and goes without the comments', async () => {
    const tree = await treeWithPackages();
    // As the document says, on a machine that has systemd.
    const installing = documented('apt-get install ').replace(/\.\/\S+\//, '/root/');
    tree.must('sh', '-c', installing.replace('install', 'install --yes --no-install-recommends systemd'));

    assert.match(output('dpkg-deb', ['--field', packageOf('quire'), 'Description']), /server and commands/);

    // It depends on what it links, and on what makes its user and folders: systemd does.
    const owner = (file) => tree.must('dpkg-query', '--search', `*/${file}`).split(':')[0];
    const providers = Object.fromEntries(tree.must('dpkg-query', '--show', '--showformat=${Provides},${Package}\n').split('\n').filter(Boolean)
      .flatMap((line) => line.split(/ \([^)]*\)|, ?/).filter(Boolean).map((name, _, all) => [name, all.at(-1)])));
    const meant = dependencies('quire').map((each) => each.split(' | ').map((name) => providers[name]).find(Boolean));
    assert.deepEqual([...new Set(meant)].sort(), [...new Set([...needed(tree.path('usr/bin/quire')).map(owner), 'systemd'])].sort());

    const unit = readFileSync(tree.path('usr/lib/systemd/system/quire.service'), 'utf8');
    assert.ok(lstatSync(tree.path('etc/systemd/system/multi-user.target.wants/quire.service')).isSymbolicLink());
    assert.equal(output('systemd-analyze', ['verify', '--man=no', `--root=${tree.folder}`, 'quire.service']), '');
    const command = /^ExecStart=(.*)$/m.exec(unit)[1].split(' ');
    const service = await Service.start(tree, { command, user: /^User=(.*)$/m.exec(unit)[1], env: { QUIRE_LISTEN: '127.0.0.1:0' } });
    const [token] = tree.must(...documented('quire token new ').split(' ')).split('\n');
    service.client.token = token;
    await postsAndPages(service.client);
    await service.stop();
    assert.equal(tree.must('stat', '--format=%U', '/var/lib/quire/store/data.mdb'), 'quire\n');

    // What the operator wrote outlives an upgrade; a purge leaves the comments alone.
    writeFileSync(tree.path('etc/quire/quire.toml'), 'store = "lmdb:/var/lib/quire/other"\n');
    tree.must('apt-get', 'install', '--yes', '--reinstall', inTree('quire'));
    assert.match(readFileSync(tree.path('etc/quire/quire.toml'), 'utf8'), /other/);
    assert.equal(tree.must('stat', '--format=%a %U %G', '/etc/quire/quire.toml', '/etc/quire/tokens'), '640 root quire\n'.repeat(2));
    assert.match(tree.must('apt-get', 'purge', '--yes', 'quire'), /The comments are still in \/var\/lib\/quire\./);
    assert.deepEqual(tree.must('find', '/etc', '/usr', '/var', '-name', 'quire*').split('\n').filter(Boolean), ['/var/lib/quire']);
    assert.ok(existsSync(tree.path('var/lib/quire/store/data.mdb')));
  });

  /** A tree with the service and what stands for systemd there. */
  async function treeWithService(...more) {
    const tree = await treeWithPackages();
    tree.must('apt-get', 'install', '--yes', '--no-install-recommends', 'systemd-standalone-sysusers', 'systemd-standalone-tmpfiles', 'curl', ...more, inTree('quire'));
    const env = standForSystemd(tree);
    return { tree, env };
  }

  test('the tasks of docs/operating.md work as typed', async (t) => {
    const { tree, env } = await treeWithService();
    const database = await startDynamoDb();
    t.after(() => database.stop());
    await typeExamples('docs/operating.md', {
      least: 15,
      shell: tree.start(['bash'], { env: { ...env, ...keys }, ...piped }),
      before: 'cd /root',
      replaced: { 'region=eu-west-1': `region=eu-west-1&endpoint=${database.endpoint}` },
    });
  });

  test('logrotate rotates the logs, and no line is lost', async () => {
    const { tree, env } = await treeWithService('logrotate');
    const port = await freePort();
    const logs = '/var/log/quire';
    writeFileSync(tree.path('etc/quire/quire.toml'), `store = "lmdb:/var/lib/quire/store"\n[serve]\nlisten = "127.0.0.1:${port}"\ntokens = "/etc/quire/tokens"\naccess-log = "${logs}/access.log"\naudit-log = "${logs}/audit.log"\n`);
    const shell = tree.start(['bash', '-e'], { env, ...piped });
    const ended = once(shell, 'close');
    shell.stdout.resume();
    shell.stdin.end(`
      token=$(quire token new --tokens /etc/quire/tokens --scopes admin)
      systemctl start quire
      comments=http://127.0.0.1:${port}/v1
      posted() { curl -sf -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d '{"rating":5}' $comments/products/$1/comments | grep -o '[0-9A-Z]\\{26\\}'; }
      removed() { curl -sf -X DELETE -H "Authorization: Bearer $token" $comments/comments/$1; }
      lines() { until [ "$(cat ${logs}/$1 2> /dev/null | wc -l)" = $2 ]; do sleep 0.05; done; }
      removed $(posted before)
      lines access.log 2; lines audit.log 1
      logrotate --force /etc/logrotate.d/quire
      lines access.log 0; lines audit.log 0
      removed $(posted behind)
      lines access.log 2; lines audit.log 1
      logrotate --force /etc/logrotate.d/quire
      systemctl stop quire
      logrotate --force /etc/logrotate.d/quire`);
    const late = setTimeout(() => process.kill(-shell.pid, 'SIGKILL'), 60_000);
    const [status] = await ended;
    clearTimeout(late);
    const shown = tree.must('sh', '-c', `tail -n +1 /run/journal ${logs}/*.log ${logs}/*.1; ls -l ${logs}; zcat ${logs}/*.gz`);
    assert.equal(status, 0, shown);
    assert.match(tree.must('zcat', `${logs}/access.log.2.gz`), /POST \/v1\/products\/before\/comments 201/);
    assert.match(tree.must('cat', `${logs}/access.log.1`), /POST \/v1\/products\/behind\/comments 201/);
    assert.equal(tree.must('stat', '--format=%U %a', `${logs}/access.log.1`, `${logs}/audit.log.1`), 'quire 640\n'.repeat(2));
  });

  test('library and build ask for packages that there are, and the library for what a program links', async () => {
    const tree = await treeWithPackages();
    const linked = names(readFileSync(join(dirname(binary), 'quire.pc'), 'utf8').replace('-lquire', ''), / -l(\S+)/g);
    const owners = linked.map((name) => output('dpkg', ['--search', normalize(output('g++', [`-print-file-name=lib${name}.so`]).trim())]).split(':')[0]);
    assert.deepEqual(dependencies('libquire-dev').sort(), [...new Set(owners)].sort());
    tree.must('apt-get', 'install', '--simulate', inTree('libquire-dev'));

    // tools/setup, which the Containerfile runs, asks for packages that Debian has, and for nothing else before them.
    mkdirSync(tree.path('root/tools'));
    copyFileSync(join(root, 'tools/setup'), tree.path('root/tools/setup'));
    writeFileSync(tree.path('etc/apt/apt.conf.d/simulate'), 'APT::Get::Simulate "true";');
    assert.match(tree.must('/root/tools/setup', 'build'), /^Inst g\+\+ /m);
  });

  test('the steps of the Containerfile make an image that serves', async () => {
    const [building, running] = stages(join(root, 'Containerfile'));
    assert.deepEqual(building.steps.filter(([word]) => word === 'RUN'), [['RUN', 'tools/setup build'], ['RUN', 'tools/package']]);
    const tree = await Debian.make();
    const image = build(running, tree, { '': { folder: root }, [building.name]: { folder: root, of: '/quire/' } });
    assert.deepEqual([tree.run(['sh', '-c', 'command -v g++ cc ld']).status === 0, image.user, image.volume], [false, '10001:10001', '/var/lib/quire']);
    const env = { ...image.env, QUIRE_LISTEN: '0.0.0.0:0' };
    const [user] = image.user.split(':');
    assert.equal(existsSync(tree.path(image.env.QUIRE_TOKENS)), false, 'a volume that is mounted is empty');
    const service = await Service.start(tree, { command: image.command, user, env });
    const asUser = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups'];
    const { output: made } = tree.run([...asUser, 'quire', 'token', 'new'], { env });
    [service.client.token] = made.split('\n');
    await postsAndPages(service.client);
    const healthy = () => tree.run([...asUser, ...image.health], { env: { ...env, QUIRE_LISTEN: `0.0.0.0:${new URL(service.client.url).port}` } }).status;
    assert.equal(healthy(), 0);
    await service.stop();
    assert.notEqual(healthy(), 0);
  });
});

/** A token may need a second until the server has read it. */
async function postsAndPages(client) {
  const refused = () => client.post('/v1/products/42/comments', { language: 'en', rating: 5, title: 'Fits' });
  let answer = await refused();
  for (let tries = 0; answer.status === 401 && tries < 30; ++tries) {
    await new Promise((done) => setTimeout(done, 500));
    answer = await refused();
  }
  answer.expect(201);
  const { comments, total } = await client.page('42', { rating: 5 });
  assert.deepEqual([comments.map(({ title }) => title), total], [['Fits'], 1]);
  assert.match((await client.get('/products/42')).expect(200).text, /Fits/);
}
