#!/usr/bin/env python3
"""Makes the sample of examples/data: a friction surface and points of interest.

    /usr/bin/python3 examples/make_sample.py

Needs python3-numpy and python3-gdal; only who changes the sample runs it. All
numbers are invented from one seed: hills as a sum of smooth noise, a friction
of 1 (level ground) plus a penalty for slope, a river that costs dearly except
at two bridges, a road, and a lake without data.
"""

import csv
from pathlib import Path

import numpy
from osgeo import gdal, ogr, osr

ROWS, COLS, CELL_M = 300, 400, 30.0
X0, Y0 = 600_000.0, 5_200_000.0  # outer corner of the top left cell, EPSG:32632
OUT = Path(__file__).parent / "data"

# Friction: how many times dearer than level open ground a metre is.
RIVER, BRIDGE, ROAD = 40.0, 1.0, 0.6
NODATA = -9999.0


def smooth_noise(rng, shortest_cells, fall):
    """Noise of mean 0 and deviation 1 without waves shorter than that, whose
    amplitudes fall with frequency ** fall, as those of terrain do."""
    spectrum = numpy.fft.rfft2(rng.standard_normal((2 * ROWS, 2 * COLS)))
    frequency = numpy.hypot(numpy.fft.fftfreq(2 * ROWS)[:, None], numpy.fft.rfftfreq(2 * COLS)[None, :])
    frequency[0, 0] = numpy.inf
    longest = numpy.maximum(frequency, 1 / 220)
    spectrum *= longest**-fall * numpy.exp(-((frequency * shortest_cells / 1.5) ** 2))
    noise = numpy.fft.irfft2(spectrum)[:ROWS, :COLS]
    return (noise - noise.mean()) / noise.std()


def draw_line(shape, knots, width):
    """Mask of the cells within `width` / 2 of a polyline of (row, col) knots."""
    row, col = numpy.indices(shape)
    mask = numpy.zeros(shape, bool)
    for (r0, c0), (r1, c1) in zip(knots, knots[1:]):
        dr, dc = r1 - r0, c1 - c0
        t = numpy.clip(((row - r0) * dr + (col - c0) * dc) / (dr * dr + dc * dc), 0, 1)
        mask |= numpy.hypot(row - r0 - t * dr, col - c0 - t * dc) <= width / 2
    return mask


def make_friction():
    rng = numpy.random.default_rng(20240229)
    elevation_m = 150 * smooth_noise(rng, 14, 2.0)
    row, col = numpy.indices((ROWS, COLS))
    # The river's valley runs from the top edge to the bottom one.
    river_row = numpy.linspace(-2, ROWS + 2, 60)
    river_col = 205 + 34 * numpy.sin(river_row / 43) + 15 * numpy.sin(river_row / 17 + 1)
    river_line = list(zip(river_row, river_col))
    from_river = numpy.abs(col - numpy.interp(row, river_row, river_col))
    elevation_m *= 1 - 0.85 * numpy.exp(-((from_river / 30) ** 2))

    slope = numpy.hypot(*numpy.gradient(elevation_m, CELL_M))  # rise over run
    friction = 1 + 6 * slope + 25 * slope**2

    friction[draw_line(friction.shape, river_line, 5)] = RIVER
    bridges = [(78, 8), (226, 8)]
    for at_row, half in bridges:
        at_col = int(numpy.interp(at_row, river_row, river_col))
        friction[at_row - 1:at_row + 1, at_col - half:at_col + half + 1] = BRIDGE
    # A road from the west over the northern bridge to the east.
    at_row, at_col = 78, int(numpy.interp(78, river_row, river_col))
    road = [(150, 0), (128, 60), (96, 120), (at_row - 0.5, at_col - 14), (at_row - 0.5, at_col + 14),
            (100, 290), (88, 345), (110, 400)]
    on_road = draw_line(friction.shape, road, 2)
    friction[on_road] = ROAD

    lake = ((row - 205) / 30) ** 2 + ((col - 95) / 42) ** 2 + 0.25 * smooth_noise(rng, 30, 1.5) < 1
    # Steps of 1/20 are all that such a model knows, and they compress well.
    friction = (numpy.round(friction * 20) / 20).astype(numpy.float32)
    friction[lake & ~on_road] = NODATA
    return friction


# id, row, col.
POINTS = [("mill", 40, 40), ("castle", 118, 28), ("harbour", 196, 146), ("chapel", 272, 52),
          ("ford-inn", 150, 262), ("quarry", 32, 330), ("abbey", 182, 372), ("farm", 276, 300)]


def write_raster(path, friction, wkt):
    dataset = gdal.GetDriverByName("GTiff").Create(
        str(path), COLS, ROWS, 1, gdal.GDT_Float32,
        ["COMPRESS=DEFLATE", "ZLEVEL=9", "TILED=YES", "BLOCKXSIZE=128", "BLOCKYSIZE=128"])
    dataset.SetGeoTransform((X0, CELL_M, 0, Y0, 0, -CELL_M))
    dataset.SetProjection(wkt)
    band = dataset.GetRasterBand(1)
    band.SetDescription("friction")
    band.SetNoDataValue(NODATA)
    band.WriteArray(friction)


def main():
    gdal.UseExceptions()
    OUT.mkdir(exist_ok=True)
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(32632)
    friction = make_friction()
    write_raster(OUT / "friction.tif", friction, reference.ExportToWkt())

    centres = [(name, X0 + (col + 0.5) * CELL_M, Y0 - (row + 0.5) * CELL_M) for name, row, col in POINTS]
    for name, row, col in POINTS:
        assert friction[row, col] not in (NODATA, RIVER), f"{name} lies in the water"
    with open(OUT / "points.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "x", "y"])
        writer.writerows((name, f"{x:.1f}", f"{y:.1f}") for name, x, y in centres)

    (OUT / "points.gpkg").unlink(missing_ok=True)
    gdal.SetConfigOption("OGR_CURRENT_DATE", "2024-02-29T00:00:00.000Z")
    source = ogr.GetDriverByName("GPKG").CreateDataSource(str(OUT / "points.gpkg"))
    layer = source.CreateLayer("points", reference, ogr.wkbPoint)
    layer.CreateField(ogr.FieldDefn("id", ogr.OFTString))
    for name, x, y in centres:
        feature = ogr.Feature(layer.GetLayerDefn())
        feature["id"] = name
        feature.SetGeometry(ogr.CreateGeometryFromWkt(f"POINT ({x} {y})"))
        layer.CreateFeature(feature)
    del layer, source


if __name__ == "__main__":
    main()
