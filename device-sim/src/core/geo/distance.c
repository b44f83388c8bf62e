/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/* Tests: tests/vectors/test_vectors.c; TestGeoQueries compares with Lucene. */
#include "core/geo/distance.h"

#include <string.h>

/* SloppyMath's tables: cosine and sine of so many angles of a circle. */
#define ANGLES 2048u

static const double TABLE[2u * ANGLES] = {
#include "core/geo/cos_table.inc"
};

/* The angle between two entries is STEP_HIGH + STEP_LOW. */
#define STEP_HIGH 0x1.921fb544p-9
#define STEP_LOW 0x1.0b4611a626331p-43
#define STEPS_PER_RADIAN 0x1.45f306dc9c883p8
#define RADIANS_PER_DEGREE 0x1.1df46a2529d39p-6

/* SloppyMath.cos of an angle of at most two turns. */
static double cosine(double angle) {
  const double a = angle < 0.0 ? -angle : angle;
  const int32_t index = (int32_t)(a * STEPS_PER_RADIAN + 0.5);
  const double delta = (a - index * STEP_HIGH) - index * STEP_LOW;
  const double *entry = TABLE + 2u * ((uint32_t)index % ANGLES);
  const double cos = entry[0];
  const double sin = entry[1];
  return cos + delta * (-sin + delta * (-cos * (1 / 2.0) +
                                        delta * (sin * (1 / 6.0) + delta * cos * (1 / 24.0))));
}

struct csd_geo_centre csd_geo_centre_of(double lat, double lon) {
  const double x = lat * RADIANS_PER_DEGREE;
  return (struct csd_geo_centre){.x = x, .cos_x = cosine(x), .lon = lon};
}

/* Clears the bits in which rounding shows. */
static double without_noise(double h) {
  uint64_t bits;
  memcpy(&bits, &h, sizeof bits);
  bits &= ~UINT64_C(7);
  memcpy(&h, &bits, sizeof h);
  return h;
}

double csd_geo_key(const struct csd_geo_centre *centre, int32_t lat, int32_t lon) {
  const double x = csd_geo_latitude(lat) * RADIANS_PER_DEGREE;
  const double h1 = 1 - cosine(x - centre->x);
  const double h2 = 1 - cosine((csd_geo_longitude(lon) - centre->lon) * RADIANS_PER_DEGREE);
  return without_noise(h1 + cosine(x) * centre->cos_x * h2);
}

/* What the rounding of three cosines may take away, and more. */
#define SLACK 1e-12

double csd_geo_least_key(const struct csd_geo_centre *centre, int32_t lat) {
  const double x = csd_geo_latitude(lat) * RADIANS_PER_DEGREE;
  return 1 - cosine(x - centre->x) - SLACK;
}
