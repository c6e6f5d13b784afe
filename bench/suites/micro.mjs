// Steps of a request within one process, by Google Benchmark.

import { Broken, run, serverCore } from '../lib/processes.mjs';
import { generatedStore, microBinary, needBinary } from '../lib/quire.mjs';

export const title = 'steps within the process';

export async function measure(report, size, progress) {
  needBinary();
  needBinary(microBinary);
  const store = await generatedStore(size.comments);
  progress('running quire_bench');
  const args = ['--benchmark_format=json', `--benchmark_min_time=${size.microSeconds}`];
  const { stdout } = await run(microBinary, args, { core: serverCore, env: { QUIRE_BENCH_STORE: store } });
  const results = JSON.parse(stdout).benchmarks;
  const failed = results.filter((result) => result.error_occurred);
  if (failed.length > 0) throw new Broken(`quire_bench: ${failed[0].name}: ${failed[0].error_message}`);

  for (const { name, cpu_time: nanoseconds } of results) report.step({ name, nanoseconds });
  return results.map(({ name, cpu_time }) => ({ name, nanoseconds: cpu_time }));
}
