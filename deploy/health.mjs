// Whether the program that listens on this port of this machine is well, as the exit code: what containers are watched by.
const [, , port] = process.argv;
const reply = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
process.exitCode = reply?.ok === true ? 0 : 1;
