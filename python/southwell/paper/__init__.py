"""Figures and a report from the files of `southwell lab paper --out DIR`.

`python -m southwell.paper DIR` draws them. Needs matplotlib: `pip install southwell[paper]`.
"""
