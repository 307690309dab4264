/** Where data comes from: package registries, the local package stores, the cache folder. */
@NullMarked
package dev.grapevine.data.fetch;

import org.jspecify.annotations.NullMarked;
