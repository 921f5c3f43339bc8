"""Names for TVM's variables: identifiers of Python, each of one variable."""

import keyword
import re

_TAKEN = {"T", "I", "True", "False", "None"}


def identifier(text):
    """The name with characters that no identifier has replaced."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    if not name or name[0].isdigit():
        name = "v" + name
    return name + "_" if keyword.iskeyword(name) else name


class Names:
    """Gives each variable (by identity) one name that no other has."""

    def __init__(self):
        self._of = {}
        self._used = set(_TAKEN)

    def of(self, var):
        found = self._of.get(var)
        if found is None:
            found = self.fresh(var.name)
            self._of[var] = found
        return found

    def fresh(self, hint):
        base = identifier(hint)
        name, k = base, 0
        while name in self._used:
            k += 1
            name = f"{base}_{k}"
        self._used.add(name)
        return name
