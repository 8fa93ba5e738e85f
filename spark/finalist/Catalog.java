// SPDX-License-Identifier: MIT OR Apache-2.0
package finalist;

import java.util.Locale;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchNamespaceException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A function for each algorithm: spark.sql.catalog.finalist=finalist.Catalog. */
public final class Catalog implements FunctionCatalog {
    private String name;

    @Override
    public void initialize(String given, CaseInsensitiveStringMap options) {
        name = given;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Identifier[] listFunctions(String[] namespace) throws NoSuchNamespaceException {
        if (namespace.length != 0) {
            throw new NoSuchNamespaceException(namespace);
        }
        return Library.algorithms().stream()
            .map(algorithm -> Identifier.of(namespace, algorithm.name()))
            .toArray(Identifier[]::new);
    }

    @Override
    public UnboundFunction loadFunction(Identifier function) throws NoSuchFunctionException {
        String wanted = function.name().toLowerCase(Locale.ROOT);
        for (Algorithm algorithm : Library.algorithms()) {
            if (function.namespace().length == 0 && algorithm.name().equals(wanted)) {
                return algorithm;
            }
        }
        throw new NoSuchFunctionException(function);
    }
}
