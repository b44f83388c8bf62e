/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Distances on the globe: their keys, bit for bit those of Lucene's SloppyMath.haversinSortKey
 * (wire/WIRE.md, section 4), which ascend with the distances. Pure functions.
 */
#ifndef CSD_DISTANCE_H
#define CSD_DISTANCE_H

#include <stdint.h>

/** A point that distances are measured from. */
struct csd_geo_centre {
  double x;     /* latitude in radians */
  double cos_x; /* of it */
  double lon;   /* degrees */
};

/** A latitude that LatLonPoint encodes, in degrees. */
static inline double csd_geo_latitude(int32_t encoded) { return encoded * 0x1.68p-25; }

/** A longitude that LatLonPoint encodes, in degrees. */
static inline double csd_geo_longitude(int32_t encoded) { return encoded * 0x1.68p-24; }

/** The centre at a latitude of -90 to 90 and a longitude of -180 to 180 degrees. */
struct csd_geo_centre csd_geo_centre_of(double lat, double lon);

/** The key of the distance of a point, by its encoded latitude and longitude: 0 to 4. */
double csd_geo_key(const struct csd_geo_centre *centre, int32_t lat, int32_t lon);

/** The key of the distance that a point has at least whose latitude is encoded as `lat`. */
double csd_geo_least_key(const struct csd_geo_centre *centre, int32_t lat);

#endif
