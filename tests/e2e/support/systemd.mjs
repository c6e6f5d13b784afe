// Stands for systemd in a Debian tree, where it cannot run: systemctl starts, stops and reloads the service quire as its unit
// says, and journalctl prints what the service said.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';

/** Puts both programs into the tree, in front of those of systemd. Gives the environment of commands that shall find them. */
export function standForSystemd(tree) {
  const unit = readFileSync(tree.path('usr/lib/systemd/system/quire.service'), 'utf8');
  const said = (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)[1];
  const programs = {
    journalctl: 'cat journal',
    systemctl: `
start() {
  (umask ${said('UMask')}; exec setpriv --reuid=${said('User')} --regid=${said('Group')} --init-groups ${said('ExecStart')}) >> journal 2>&1 &
  echo $! > service
  until grep -qs "^listening on" journal; do sleep 0.02; done
}
stop() {
  if [ -f service ]; then kill "$(cat service)"; while kill -0 "$(cat service)" 2> /dev/null; do sleep 0.02; done; fi
  : > journal
}
case "$*" in
  "start quire") start ;;
  "restart quire") stop; start ;;
  "stop quire") stop ;;
  "reload quire" | "reload quire.service")
    said=$(grep -c SIGHUP: journal)
    kill -HUP "$(cat service)"
    until [ "$(grep -c SIGHUP: journal)" -gt "$said" ]; do sleep 0.02; done ;;
  "--quiet is-active quire.service") [ -f service ] && kill -0 "$(cat service)" ;;
  *) echo "systemctl $* is not known here" >&2; exit 1 ;;
esac`,
  };
  for (const [name, code] of Object.entries(programs)) {
    writeFileSync(tree.path(`usr/local/bin/${name}`), `#!/bin/bash\ncd /run\n${code}\n`);
    chmodSync(tree.path(`usr/local/bin/${name}`), 0o755);
  }
  return { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
}
