// SPDX-License-Identifier: MIT OR Apache-2.0
package finalist;

import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** The digest of a value. Spark's generated code calls invoke, with its own values. Null for null. */
public record Digest(Algorithm algorithm, DataType type) implements ScalarFunction<byte[]> {
    public byte[] invoke(byte[] value) {
        return value == null ? null : Library.hash(algorithm, value, 0, value.length);
    }

    public byte[] invoke(UTF8String value) {
        if (value != null && value.getBaseObject() instanceof byte[] array) {
            long first = value.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET;
            return Library.hash(algorithm, array, first, value.numBytes());
        }
        // Outside of Java's heap.
        return invoke(value == null ? null : value.getBytes());
    }

    @Override
    public DataType[] inputTypes() {
        return new DataType[] {type};
    }

    @Override
    public DataType resultType() {
        return DataTypes.BinaryType;
    }

    @Override
    public String name() {
        return algorithm.name();
    }

    @Override
    public String canonicalName() {
        return "finalist." + name() + "(" + type.catalogString() + ")";
    }

    /** Names a column of digests. */
    @Override
    public String toString() {
        return name();
    }
}
