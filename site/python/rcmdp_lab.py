"""RCMDP Lab in a notebook: a model in, its answer drawn, and the answer back.

    from rcmdp_lab import Lab, serve
    lab = Lab(problem, home="https://your.site/rcmdp/")   # or home=serve("dist"), from this machine
    lab                                                   # in the next cell: lab.status, lab.objective, lab.bound, lab.policy

The solver runs in the browser that shows the notebook; nothing but the model and its result pass between the two. A bound is
there once the checker in that browser has accepted its certificate; before, a result is "unchecked".
"""

import functools
import http.server
import pathlib
import threading

import anywidget
import traitlets

__version__ = "VERSION"
__all__ = ["Lab", "serve"]


def _read(default, kind=traitlets.Unicode, **how):
    return kind(default, **how).tag(sync=True)


class Lab(anywidget.AnyWidget):
    """A frame of the lab. What may be said: see the guide's page of embedding; a trait is an attribute of the element."""

    _esm = pathlib.Path(__file__).with_name("rcmdp_lab.mjs")
    home = _read("", help="where the lab is, an address; needed unless the module was built with one")
    problem = _read({}, traitlets.Dict, help="a document, rcmdp/1; with edits=True as the reader leaves it")
    example = _read("", help="instead: a model of the gallery")
    answer = _read(None, traitlets.Dict, allow_none=True, help="a result to show before anything runs")
    run = _read(True, traitlets.Bool, help="solve when the model has come")
    edits = _read(False, traitlets.Bool, help="whether what a reader changes comes back as problem")
    algorithm = _read("")
    options = _read({}, traitlets.Dict)
    hide, show, theme, slider, explore, height, label = (_read("") for _ in range(7))
    result = _read(None, traitlets.Dict, allow_none=True, help="status, objective, constraints, policy, certificate; None while there is none")
    error = _read("", help="why there is none")

    def __init__(self, problem=None, **traits):
        super().__init__(**traits, **({} if problem is None else {"problem": problem}))

    status = property(lambda self: self.result and self.result["status"])
    objective = property(lambda self: self.result and self.result["objective"]["value"])
    policy = property(lambda self: self.result and self.result["policy"])
    certificate = property(lambda self: self.result and self.result.get("certificate"))

    @property
    def bound(self):
        """What no policy can do better than; None while nothing is proved."""
        of = self.result and self.result["objective"]
        return of and of["upperBound" if of["sense"] == "maximize" else "lowerBound"]


def serve(folder="dist", port=0):
    """Serves a folder with the lab on this machine for as long as this program runs; gives its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".mjs": "text/javascript"}

        def log_message(self, *_):
            pass

    if not (pathlib.Path(folder) / "embed.html").is_file():
        raise FileNotFoundError(f"{folder} has no embed.html; it is the folder dist that the build makes")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"
