# The documentation's site: `cmake --build build --target docs` builds it into out/docs.
#
# Every page is a file of this folder and reads well on its own; the site adds navigation, search and both
# APIs.  Whatever is missing (a link, an image, a file, a name of the API) stops the build.
import importlib.util
import os
import re
import runpy
import sys
from pathlib import Path

from sphinx.errors import SphinxError

here = Path(__file__).parent
root = here.parent
truthful = runpy.run_path(str(root / "python/stubs.py"))["truthful"]  # beside the sources of the package

project = "stiction"
author = "The stiction authors"
release = re.search(r"project\(stiction VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[1]
copyright = "Apache-2.0"

extensions = ["myst_nb", "breathe", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx-mathjax-offline"]
exclude_patterns = ["schema", "figures", "site", "requirements.txt", "**.ipynb_checkpoints"]
nitpicky = True
# Names of other libraries, template parameters, and types that headers only mention.
nitpick_ignore_regex = [
    ("cpp:identifier", r"(std|Eigen|nlohmann)(::.*)?"),
    ("cpp:identifier", r"Vec[23]::\w+"),
    ("cpp:identifier", r"(Contents|size_t|uint\w+|int\w+_t|FILE)"),
    ("py:.*", r"(numpy|np|scipy|collections|typing|matplotlib|mujoco|pinocchio|os|pathlib)(\..*)?"),
    ("py:class", r"(TypeAliasForwardRef|ArrayLike|Floats|LawLike|NDArray|optional|ndarray|array_like|Annotated|Sequence|PathLike|object|Axes)"),
]

# Markdown
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
# JSON with … in it; anchors written as HTML, which site/links.py checks; one namespace in all headers.
suppress_warnings = ["misc.highlighting_failure", "myst.xref_missing", "duplicate_declaration.cpp"]

# Formulas: MathJax from this site's own files, as SVG, so that no font and no network is needed.
mathjax_path = "mathjax/tex-svg.js"

# C++: Doxygen's XML of include/stiction, made before this runs.
breathe_projects = {"stiction": os.environ.get("STICTION_DOXYGEN", str(root / "build/docs/doxygen/xml"))}
breathe_default_project = "stiction"
breathe_default_members = ("members",)
breathe_show_include = False
toc_object_entries_show_parents = "hide"

# Python: the installed package, of this environment or of the project's .venv.
if importlib.util.find_spec("stiction") is None:
    tag = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    sys.path.append(str(root / ".venv/lib" / tag / "site-packages"))
    os.environ["PYTHONPATH"] = sys.path[-1]  # for the notebooks' kernel
try:
    import stiction  # noqa: F401
    has_python = True
except ImportError:
    has_python = False
autodoc_member_order = "bysource"
default_role = "code"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in ("ArrayLike", "Floats", "LawLike")}
python_use_unqualified_type_names = True

# Notebooks are run while the site is built, where the Python package is there.
nb_execution_mode = "cache" if has_python else "off"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_excludepatterns = [] if importlib.util.find_spec("mujoco") else ["notebooks/from-mujoco.ipynb"]
nb_execution_cache_path = os.environ.get("STICTION_NOTEBOOKS", str(root / "build/docs/notebooks"))
nb_merge_streams = True

# Looks
html_theme = "furo"
html_title = "stiction"
html_static_path = ["site/style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2563a8", "color-brand-content": "#2563a8"},
    "dark_css_variables": {"color-brand-primary": "#6aa9e9", "color-brand-content": "#6aa9e9"},
}


def only_what_pages_load(app, error):
    """MathJax comes with every format it knows; pages load one file of it."""
    folder = Path(app.outdir) / "_static/mathjax"
    if error or not folder.is_dir():
        return
    import shutil
    for entry in folder.iterdir():
        if entry.name != "tex-svg.js":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def is_compiled(thing):
    """A function or static method that autodoc does not take for one."""
    return type(thing).__name__ == "nb_func"


def compiled(module):
    """Directives for those of a module: its functions, and then what makes its classes."""
    for name, item in vars(module).items():
        if is_compiled(item):
            yield f".. autofunction:: {module.__name__}.{name}"
    for name, item in vars(module).items():
        for member, made in vars(item).items() if isinstance(item, type) else ():
            if is_compiled(made):
                yield f".. automethod:: {module.__name__}.{name}.{member}"


def python_parts():
    """Of the Python page: title and reStructuredText."""
    members = "   :members:\n   :imported-members:\n   :undoc-members:\n"
    yield "Functions", "\n".join(compiled(stiction))
    yield "Classes, files and other programs' models", ".. automodule:: stiction\n" + members
    yield "Plots", ".. automodule:: stiction.plot\n   :members:\n"
    if importlib.util.find_spec("stiction._models") is not None:
        functions = "\n".join(compiled(importlib.import_module("stiction.models")))
        yield "Mechanisms", f".. automodule:: stiction.models\n{members}\n{functions}"


def nothing_is_left_out(app, error):
    """Every public name of the package is on the Python page."""
    if error or not has_python:
        return
    there = app.env.domaindata["py"]["objects"]
    missing = [n for n, item in vars(stiction).items() if not n.startswith("_") and callable(item) and f"stiction.{n}" not in there]
    if missing:
        raise SphinxError(f"api/python has no {', '.join(missing)}")


def truthful_signature(app, what, name, thing, options, signature, returns):
    """As in the stubs: None only where it may be given; no short name of the package."""
    if type(thing).__name__.startswith("nb_") and signature:
        signature = truthful(f"def f{signature}: ...").removeprefix("def f").removesuffix(": ...")
    return re.sub(r"\bst\.", "stiction.", signature or "") or None, returns


def python_module(app, name, source):
    """The Python page: the package's own documentation where it can be imported."""
    if name != "api/python":
        return
    missing = """
:::{note}
This copy was built without the Python package. `./test` installs it into `.venv`; build the documentation again
after that.
:::
"""
    if has_python:
        text = "".join(f"\n## {title}\n\n```{{eval-rst}}\n{text}\n```\n" for title, text in python_parts())
    else:
        text = missing
    source[0] = re.sub(r"<!--.*-->\n", lambda _: text, source[0])


def plain_text(app, what, name, thing, options, lines):
    """The package's docstrings are plain text with `names` and >>> examples."""
    lines[:] = [line if line.lstrip().startswith(">>>") else re.sub(r"([|*])", r"\\\1", line) for line in lines]


def setup(app):
    app.connect("source-read", python_module)
    app.connect("autodoc-process-docstring", plain_text)
    app.connect("autodoc-process-signature", truthful_signature)
    app.connect("autodoc-skip-member", lambda app, what, name, thing, skip, options: skip or is_compiled(thing))
    app.connect("build-finished", nothing_is_left_out)
    app.connect("config-inited", lambda app, config: setattr(config, "mathjax_path", "mathjax/tex-svg.js"))
    app.connect("build-finished", only_what_pages_load, priority=900)
