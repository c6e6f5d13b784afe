// A fresh Debian 12 in a folder: made once, kept under build/, and seen by each test through a layer of its own, which
// takes the writes and is gone with the test. Needs root and mmdebstrap, which asks the package servers of this machine.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { after } from 'node:test';
import { join } from 'node:path';
import { root, temporaryDirectory } from './harness.mjs';

const made = join(root, 'build/debian-12');
const text = (command, ...args) => execFileSync(command, args, { encoding: 'utf8', timeout: 300_000, killSignal: 'SIGKILL' });

/** Where this machine has Debian's packages from, and how it gets there, as apt says. */
function aptOfThisMachine() {
  const sources = text('apt-get', 'indextargets', '--format', 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)|$(ORIGIN)', 'Created-By: Packages')
    .split('\n').filter((line) => line.endsWith('|Debian')).map((line) => line.slice(0, line.indexOf('|')));
  const options = text('apt-config', 'dump', '--no-empty', '--format', '%f "%v";%n', 'Acquire')
    .split('\n').filter((line) => /^Acquire::(https?|Check-)/.test(line));
  return { sources: [...new Set(sources)].sort(), options };
}

function makeTree() {
  if (existsSync(made)) return;
  const { sources, options } = aptOfThisMachine();
  assert.ok(sources.length > 0, 'apt has package lists of Debian: apt-get update');
  const part = `${made}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(join(root, 'build'), { recursive: true });
  const configuration = join(temporaryDirectory(), 'apt.conf');
  writeFileSync(configuration, `${options.join('\n')}\nAcquire::Languages "none";\n`);
  text('mmdebstrap', '--quiet', '--variant=minbase', `--aptopt=${configuration}`, '--skip=cleanup/apt/lists', 'bookworm', part, ...sources);
  renameSync(part, made);
}

export class Debian {
  #keeper;

  /** A fresh one. */
  static async make() {
    makeTree();
    const tree = new Debian();
    await tree.#mount();
    after(() => tree.end());
    return tree;
  }

  // The mounts live as long as a process that has them, so nothing has to be unmounted.
  async #mount() {
    const layer = temporaryDirectory();
    const script = `
      mount -t tmpfs none ${layer} && mkdir ${layer}/{upper,work,tree}
      mount -t overlay none -o lowerdir=${made},upperdir=${layer}/upper,workdir=${layer}/work ${layer}/tree
      mount -t proc none ${layer}/tree/proc && mount --rbind /dev ${layer}/tree/dev
      cat /etc/resolv.conf >${layer}/tree/etc/resolv.conf
      echo ready; exec sleep infinity`;
    this.#keeper = spawn('unshare', ['--mount', 'bash', '-ec', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(this.#keeper.stdout, 'data');
    this.folder = `/proc/${this.#keeper.pid}/root${layer}/tree`;
    this.#inside = ['nsenter', `--mount=/proc/${this.#keeper.pid}/ns/mnt`, 'chroot', `${layer}/tree`];
  }
  #inside;

  end() { this.#keeper.kill('SIGKILL'); }

  /** The path by which this machine sees a file of the tree. */
  path(file) { return join(this.folder, file); }

  #environment(extra) { return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', HOME: '/root', LC_ALL: 'C.UTF-8', ...proxies(), ...extra }; }

  /** {status, output} of a command in the tree. */
  run(command, { env, input } = {}) {
    const [program, ...args] = [...this.#inside, ...command];
    const { status, stdout, stderr, error } = spawnSync(program, args, { env: this.#environment(env), input, encoding: 'utf8', timeout: 300_000, killSignal: 'SIGKILL' });
    return { status, output: stdout + stderr + (error ?? '') };
  }

  /** What a command prints that must succeed. */
  must(...command) {
    const { status, output } = this.run(command);
    assert.equal(status, 0, `${command.join(' ')} ended with ${status}\n${output}`);
    return output;
  }

  /** Starts a command; its process is the one that is returned. `options`: of spawn(). */
  start(command, { env, ...options } = {}) {
    const [program, ...args] = [...this.#inside, ...command];
    return spawn(program, args, { env: this.#environment(env), stdio: ['ignore', 'pipe', 'pipe'], ...options });
  }
}

function proxies() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(https?|no)_proxy$/i.test(name)));
}
