"""The register of faults, and the few words that they are written with."""

VARIANTS = {}


def variant(suite, case, requirement, about, facts="locknote"):
    """Marks a function that puts one fault into locknote; its name is the variant's."""

    def register(breaks):
        name = breaks.__name__.replace("_", "-")
        row = {"variant": name, "suite": suite, "case": case, "requirement": requirement, "about": about, "facts": facts}
        VARIANTS[name] = (row, breaks)
        return breaks

    return register


def wrap(module, name, around):
    """module.name becomes around(old, *args)."""
    old = getattr(module, name)
    setattr(module, name, lambda *args, **kwargs: around(old, *args, **kwargs))
