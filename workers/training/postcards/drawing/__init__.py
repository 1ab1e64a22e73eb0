"""How a scene of Postcards is painted: a travel poster of cut paper, drawn by Pillow and NumPy alone.

Shapes are polygons sampled by NumPy on a canvas two or three times too large that is reduced at the end, since Pillow
is pinned already and runs everywhere: skia-python needs libGL and libEGL on the machine, and resvg took 10 ms for a
scene of 96 px and 150 ms for one of 768 px.
"""

from workers.training.postcards.drawing.scene import draw

__all__ = ["draw"]
