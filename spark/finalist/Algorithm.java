// SPDX-License-Identifier: MIT OR Apache-2.0
package finalist;

import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * An algorithm before the type of its argument is known.
 *
 * @param index its place in the C library's list
 * @param bytes the length of its digest
 */
record Algorithm(String name, int index, int bytes) implements UnboundFunction {
    @Override
    public BoundFunction bind(StructType arguments) {
        DataType type = arguments.length() == 1 ? arguments.fields()[0].dataType() : null;
        if (type instanceof StringType || type instanceof BinaryType) {
            return new Digest(this, type);
        }
        if (type instanceof NullType) {
            return new Digest(this, DataTypes.BinaryType);
        }
        throw new UnsupportedOperationException(
            name + " takes one binary or string value: cast the column first");
    }

    @Override
    public String description() {
        return name + "(value): the digest, " + bytes + " bytes, of a binary value or of a string's UTF-8";
    }
}
