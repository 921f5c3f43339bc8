"""How a host launches kernels: a kernel's body stands in the place of its launch.

The threads are those that the host asks for, whatever the kernel says of itself. After
LowerTVMBuiltin the arguments go through an array on the stack; what is stored there is followed
from line to line.
"""

from .errors import NotExported
from .expressions import dtype_of
from .facts import FactsOf
from .packed import op_name

_KIND, _VALUE = 13, 15  # fields of an argument
_NONE, _INT, _FLOAT, _POINTER = 0, 1, 3, 4


class Launches:
    """Mixed into the exporter."""

    def start_launches(self, kernels):
        self.kernels = kernels or {}
        self.launched = {}  # thread index -> extent, as the host passes it
        self.passed = {}  # (number of the argument, field) -> what is stored for a call

    def launch(self, name, args, depth):
        """A launch with its arguments: those of the kernel, then the numbers of threads."""
        kernel = self.kernels.get(name)
        if kernel is None:
            raise NotExported("launch of an unknown function")
        count = len(kernel.params)
        for param, value in zip(kernel.params, args):
            if type(param.ty).__name__ == "PointerType":
                self.pointers[param] = self.memory(value)
                continue
            dtype, written = dtype_of(param.ty, "let"), self._argument(value, param)
            self.scalars.add(param)
            self.line(depth, f"{self.names.of(param)}: T.let[T.{dtype}] = {written}")
        self.launched = self._extents_of(kernel, args[count:])
        self.stmt(kernel.body, depth)
        self.launched = {}

    def _argument(self, value, param):
        """A scalar argument, which travels in 64 bits."""
        if type(value).__name__ == "Cast" and str(value.value.ty.dtype) == str(param.ty.dtype):
            value = value.value
        dtype = dtype_of(param.ty, "argument")
        text = self.expr(value)
        return text if str(value.ty.dtype) == dtype else f'T.Cast("{dtype}", {text})'

    def _extents_of(self, kernel, values):
        if not values:
            return {}  # before the host is told how many
        tags = [str(t) for t in kernel.attrs.get("tirx.kernel_launch_params", [])]
        if len(tags) != len(values):
            raise NotExported("launch with another number of arguments")
        bound = FactsOf()(kernel.body).tags
        given = {t: v for t, v in zip(tags, values) if t.startswith(("blockIdx", "threadIdx"))}
        if bound - set(given):
            raise NotExported("kernel with a thread index that is not launched")
        # The type is that of the kernel's loop; the host counts in `int32`, and passes 64 bits.
        return {tag: self.expr(value.value if type(value).__name__ == "Cast" else value)
                for tag, value in given.items()}

    def passes_argument(self, s):
        """`tvm_struct_set` of the array of a call, and the branch on a pointer that is null."""
        kind = type(s).__name__
        if kind == "Evaluate" and op_name(s.value) == "tvm_struct_set":
            _, number, field, value = s.value.args
            self.passed[int(number.value), int(field.value)] = value
            return True
        if kind != "IfThenElse" or op_name(s.condition) != "isnullptr" or s.else_case is None:
            return False
        for part, kind in ((s.then_case, _NONE), (s.else_case, _POINTER)):
            if type(part).__name__ != "Evaluate" or op_name(part.value) != "tvm_struct_set":
                return False
            _, _, field, value = part.value.args
            if int(field.value) != _KIND or getattr(value, "value", None) != kind:
                return False
        self.passed[int(s.else_case.value.args[1].value), _KIND] = s.condition.args[0]
        return True

    def call_lowered(self, args, depth):
        """A call by an array on the stack: of a kernel."""
        name, first, last = str(args[0].value), int(args[2].value), int(args[3].value)
        kernel = self.kernels.get(name)
        if kernel is None:
            raise NotExported(f"call of {name}")
        values = []
        for number in range(first, last):
            value = self.passed.pop((number, _VALUE), None)
            kind = self.passed.pop((number, _KIND), None)
            if value is None or kind is None:
                raise NotExported("argument that is not stored right before its call")
            param = kernel.params[number] if number < len(kernel.params) else None
            pointer = param is not None and type(param.ty).__name__ == "PointerType"
            wanted = _FLOAT if str(getattr(value.ty, "dtype", "")).startswith("float") else _INT
            if (kind is not value and not self._same_pointer(kind, value)) if pointer else \
                    getattr(kind, "value", None) != wanted:
                raise NotExported("argument whose kind is another one")
            values.append(value)
        self.passed = {}
        self.launch(name, values, depth)

    def _same_pointer(self, a, b):
        return type(a).__name__ == "Call" and self.memory(a).same_as(self.memory(b))
