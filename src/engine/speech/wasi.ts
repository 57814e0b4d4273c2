/** Error numbers of WASI. */
const errno = { success: 0, badFile: 8, noEntry: 44 } as const;
const rootFd = 3;
const rootName = '/';
const directory = 3;
const regularFile = 4;
const createFlag = 1;
const truncateFlag = 8;
const allRights = 0xffff_ffff_ffff_ffffn;
const [fromStart, fromHere] = [0, 1];

interface MemoryFile {
  bytes: Uint8Array;
  length: number;
}
interface OpenFile {
  readonly file: MemoryFile;
  position: number;
}

function write(open: OpenFile, chunk: Uint8Array) {
  const { file, position } = open;
  const end = position + chunk.length;
  if (end > file.bytes.length) {
    const larger = new Uint8Array(Math.max(end, 2 * file.bytes.length));
    larger.set(file.bytes);
    file.bytes = larger;
  }
  file.bytes.set(chunk, position);
  file.length = Math.max(file.length, end);
  open.position = end;
}

/**
 * Runs a WASI program (preview 1, command) with a memory of its own and no access to anything: its
 * files are in memory, its clock stands still, so the same arguments and files give the same output.
 * Returns the file named `output`, or null if the program failed. Only what speech synthesis needs.
 * `node:wasi` is experimental and opens real files.
 */
export function runWasi(
  module: WebAssembly.Module,
  args: readonly string[],
  input: { readonly name: string; readonly bytes: Uint8Array },
  output: string,
): Uint8Array | null {
  const files = new Map<string, MemoryFile>([[input.name, { bytes: input.bytes, length: input.bytes.length }]]);
  const opened = new Map<number, OpenFile>();
  let nextFd = rootFd + 1;
  const ended = new Error('the program ended');
  let exitCode = 0;
  const encodedArgs = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  const memory = () => (instance.exports['memory'] as WebAssembly.Memory).buffer;
  const view = () => new DataView(memory());
  const bytesAt = (pointer: number, length: number) => new Uint8Array(memory(), pointer, length);
  const buffersAt = (pointer: number, count: number) =>
    Array.from({ length: count }, (_, at) =>
      bytesAt(view().getUint32(pointer + 8 * at, true), view().getUint32(pointer + 8 * at + 4, true)),
    );
  const isStandard = (fd: number) => fd < rootFd;

  const calls = {
    args_sizes_get(countAt: number, sizeAt: number) {
      view().setUint32(countAt, encodedArgs.length, true);
      const size = encodedArgs.reduce((sum, { length }) => sum + length, 0);
      view().setUint32(sizeAt, size, true);
      return errno.success;
    },
    args_get(pointersAt: number, textAt: number) {
      let at = textAt;
      encodedArgs.forEach((arg, index) => {
        view().setUint32(pointersAt + 4 * index, at, true);
        bytesAt(at, arg.length).set(arg);
        at += arg.length;
      });
      return errno.success;
    },
    clock_time_get(_clock: number, _precision: bigint, timeAt: number) {
      view().setBigUint64(timeAt, 0n, true);
      return errno.success;
    },
    fd_prestat_get(fd: number, prestatAt: number) {
      if (fd !== rootFd) return errno.badFile;
      view().setUint32(prestatAt, 0, true);
      view().setUint32(prestatAt + 4, rootName.length, true);
      return errno.success;
    },
    fd_prestat_dir_name(fd: number, nameAt: number, length: number) {
      if (fd !== rootFd) return errno.badFile;
      bytesAt(nameAt, length).set(new TextEncoder().encode(rootName).subarray(0, length));
      return errno.success;
    },
    fd_fdstat_get(fd: number, statAt: number) {
      if (!isStandard(fd) && fd !== rootFd && !opened.has(fd)) return errno.badFile;
      bytesAt(statAt, 24).fill(0);
      view().setUint8(statAt, fd === rootFd ? directory : regularFile);
      view().setBigUint64(statAt + 8, allRights, true);
      view().setBigUint64(statAt + 16, allRights, true);
      return errno.success;
    },
    fd_fdstat_set_flags: () => errno.success,
    path_open(
      _fd: number,
      _lookup: number,
      nameAt: number,
      nameLength: number,
      flags: number,
      _rights: bigint,
      _inherited: bigint,
      _fdFlags: number,
      fdAt: number,
    ) {
      const name = new TextDecoder().decode(bytesAt(nameAt, nameLength));
      let file = files.get(name);
      if (!file && !(flags & createFlag)) return errno.noEntry;
      file ??= { bytes: new Uint8Array(0), length: 0 };
      if (flags & truncateFlag) file.length = 0;
      files.set(name, file);
      opened.set(nextFd, { file, position: 0 });
      view().setUint32(fdAt, nextFd++, true);
      return errno.success;
    },
    fd_close: (fd: number) => (opened.delete(fd) ? errno.success : errno.badFile),
    fd_read(fd: number, buffersPointer: number, count: number, readAt: number) {
      const open = opened.get(fd);
      if (!open) return errno.badFile;
      let total = 0;
      for (const buffer of buffersAt(buffersPointer, count)) {
        const part = open.file.bytes.subarray(open.position, Math.min(open.file.length, open.position + buffer.length));
        buffer.set(part);
        open.position += part.length;
        total += part.length;
      }
      view().setUint32(readAt, total, true);
      return errno.success;
    },
    fd_seek(fd: number, offset: bigint, whence: number, positionAt: number) {
      const open = opened.get(fd);
      if (!open) return errno.badFile;
      const origin = whence === fromStart ? 0 : whence === fromHere ? open.position : open.file.length;
      open.position = Math.max(0, origin + Number(offset));
      view().setBigUint64(positionAt, BigInt(open.position), true);
      return errno.success;
    },
    fd_write(fd: number, buffersPointer: number, count: number, writtenAt: number) {
      const open = opened.get(fd);
      if (!open && !isStandard(fd)) return errno.badFile;
      const buffers = buffersAt(buffersPointer, count);
      // What it prints is of no use.
      if (open) for (const buffer of buffers) write(open, buffer);
      const written = buffers.reduce((sum, { length }) => sum + length, 0);
      view().setUint32(writtenAt, written, true);
      return errno.success;
    },
    proc_exit(code: number) {
      exitCode = code;
      // The call must not return.
      throw ended;
    },
  };
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: calls });
  try {
    (instance.exports['_start'] as () => void)();
  } catch (error) {
    // A trap, or a stack that is too deep, ends the program and nothing else: its memory goes with it.
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return null;
    if (error !== ended) throw error;
  }
  if (exitCode !== 0) return null;
  const file = files.get(output);
  return file ? file.bytes.subarray(0, file.length) : null;
}
