"""Build the encoder as an ONNX graph with 8-bit weights; needed once, when a model is installed."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

WIDTH, HEADS = 384, 12
_EPSILON = 1e-12
_OPSET = 20
_IR_VERSION = 10
_SMALLEST_OUTSIDE = 4096  # bytes of a matrix

Weights = Mapping[str, NDArray[np.float32]]


class _Graph:
    """Collects the nodes and weights of a graph; every method returns the name of what it adds."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def weight(self, name: str, value: NDArray[Any]) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, kind: str, inputs: list[str], **attributes: Any) -> str:
        output = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def linear(self, name: str, x: str, weight: NDArray[Any], bias: NDArray[Any]) -> str:
        product = self.node("MatMul", [x, self.weight(f"{name}.weight", weight.T)])
        return self.node("Add", [product, self.weight(f"{name}.bias", bias)])

    def normalised(self, name: str, x: str, weights: Weights) -> str:
        scale = self.weight(f"{name}.weight", weights[f"{name}.weight"])
        bias = self.weight(f"{name}.bias", weights[f"{name}.bias"])
        return self.node("LayerNormalization", [x, scale, bias], axis=-1, epsilon=_EPSILON)


def build_encoder(weights: Weights, file: Path) -> None:
    """
    Write the encoder that some weights (named as in the base encoder) make up, in 8 bits.

    Its matrices are in a file beside it, `weights_of(file)`, which all processes that run it share by mapping it.

    Inputs: `ids` and `segments`, int64 [sheets, length], and `mask`, float32 [sheets, 1, 1, length], 0 for pieces and a
    large negative number behind the end. Output: `states`, float32 [sheets, length, 384].
    """
    graph = _Graph()
    word_table = graph.weight("words", weights["embeddings.word_embeddings.weight"])
    words = graph.node("Gather", [word_table, "ids"])
    segments = graph.node(
        "Gather", [graph.weight("kinds", weights["embeddings.token_type_embeddings.weight"]), "segments"]
    )
    places = _places(graph, weights)
    embedded = graph.node("Add", [graph.node("Add", [words, segments]), places])
    x = graph.normalised("embeddings.LayerNorm", embedded, weights)
    for at in range(_layers(weights)):
        x = _layer(graph, f"encoder.layer.{at}.", x, weights)
    graph.nodes.append(helper.make_node("Identity", [x], ["states"]))
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "encoder",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT64, ["sheets", "length"]),
                helper.make_tensor_value_info("segments", TensorProto.INT64, ["sheets", "length"]),
                helper.make_tensor_value_info("mask", TensorProto.FLOAT, ["sheets", 1, 1, "length"]),
            ],
            [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["sheets", "length", WIDTH])],
            graph.weights,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET)],
        ir_version=_IR_VERSION,
    )
    full, quantised = file.with_suffix(".full"), file.with_suffix(".quantised")
    # Nothing here needs the preparation for quantisation; without this it warns.
    helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
    onnx.save(model, full)
    try:
        with _silenced_root_log():
            quantize_dynamic(
                full,
                quantised,
                op_types_to_quantize=["MatMul", "Gather"],
                per_channel=True,
                reduce_range=True,  # 7 bits: processors without VNNI add products in too few bits for 8
                weight_type=QuantType.QInt8,
                extra_options={"MatMulConstBOnly": True},
            )
        onnx.save(
            onnx.load(quantised),
            file,
            save_as_external_data=True,
            location=weights_of(file).name,
            size_threshold=_SMALLEST_OUTSIDE,
        )
        weights_of(file).chmod(file.stat().st_mode)  # or only its writer could read it
    finally:
        for each in (full, quantised):
            each.unlink(missing_ok=True)


def weights_of(file: Path) -> Path:
    """Where the matrices of an encoder are."""
    return file.with_suffix(".weights")


@contextmanager
def _silenced_root_log() -> Iterator[None]:
    """Keep quantisation from logging every node to the root logger; warnings pass."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(max(level, logging.WARNING))
    try:
        yield
    finally:
        root.setLevel(level)


def _layers(weights: Weights) -> int:
    return sum(name.endswith(".attention.self.query.weight") for name in weights)


def _places(graph: _Graph, weights: Weights) -> str:
    table = graph.weight("places", weights["embeddings.position_embeddings.weight"])
    shape = graph.node("Shape", ["ids"], start=1, end=2)
    zero, axes = graph.weight("zero", np.array([0], np.int64)), graph.weight("first_axis", np.array([0], np.int64))
    return graph.node("Slice", [table, zero, shape, axes])


def _layer(graph: _Graph, prefix: str, x: str, weights: Weights) -> str:
    own = [f"{prefix}attention.self.{name}" for name in ("query", "key", "value")]
    scale = (WIDTH // HEADS) ** -0.5
    # One product for all three; the scale of the attention goes into the query's weights.
    weight = np.concatenate([weights[f"{name}.weight"] * (scale if not at else 1) for at, name in enumerate(own)])
    bias = np.concatenate([weights[f"{name}.bias"] * (scale if not at else 1) for at, name in enumerate(own)])
    joined = graph.linear(f"{prefix}joined", x, weight.astype(np.float32), bias.astype(np.float32))
    sizes = graph.weight(f"{prefix}sizes", np.array([WIDTH] * 3, np.int64))
    outputs = [f"{prefix}{name}" for name in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [joined, sizes], outputs, axis=-1, name=f"{prefix}split"))
    heads_shape = graph.weight(f"{prefix}heads", np.array([0, 0, HEADS, WIDTH // HEADS], np.int64))
    query, key, value = (graph.node("Reshape", [output, heads_shape]) for output in outputs)
    query, value = (graph.node("Transpose", [each], perm=[0, 2, 1, 3]) for each in (query, value))
    key = graph.node("Transpose", [key], perm=[0, 2, 3, 1])
    attention = graph.node("Softmax", [graph.node("Add", [graph.node("MatMul", [query, key]), "mask"])], axis=-1)
    mixed = graph.node("Transpose", [graph.node("MatMul", [attention, value])], perm=[0, 2, 1, 3])
    mixed = graph.node("Reshape", [mixed, graph.weight(f"{prefix}flat", np.array([0, 0, WIDTH], np.int64))])
    name = f"{prefix}attention.output.dense"
    product = graph.linear(name, mixed, weights[f"{name}.weight"], weights[f"{name}.bias"])
    x = graph.normalised(f"{prefix}attention.output.LayerNorm", graph.node("Add", [product, x]), weights)
    name = f"{prefix}intermediate.dense"
    inner = graph.node("Gelu", [graph.linear(name, x, weights[f"{name}.weight"], weights[f"{name}.bias"])])
    name = f"{prefix}output.dense"
    product = graph.linear(name, inner, weights[f"{name}.weight"], weights[f"{name}.bias"])
    return graph.normalised(f"{prefix}output.LayerNorm", graph.node("Add", [product, x]), weights)
