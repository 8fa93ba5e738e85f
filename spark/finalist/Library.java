// SPDX-License-Identifier: MIT OR Apache-2.0
package finalist;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The C library in the jar. java.lang.foreign, which calls it, is part of Java since 22; it is reached by
 * reflection, since Spark also runs on older ones, which are to read a message and not to fail at loading this.
 */
final class Library {
    private static final int JAVA = 22;
    private static final int TEXT_BYTES = 128;
    private static final String FILE = System.mapLibraryName("finalist_spark");

    /** Why there is no library; null if there is. */
    private static final String PROBLEM;

    private static final MethodHandle NAME;
    private static final MethodHandle STATUS;
    private static final MethodHandle HASH;

    static {
        String problem = null;
        MethodHandle[] handles = new MethodHandle[3];
        int java = Runtime.version().feature();
        if (java < JAVA) {
            problem = "finalist's functions need Java " + JAVA + " or later, and this is " + java
                + ": set JAVA_HOME, or use finalist.spark.digest";
        } else {
            try {
                handles = load();
            } catch (IOException | ReflectiveOperationException | RuntimeException error) {
                Throwable cause = error instanceof InvocationTargetException ? error.getCause() : error;
                problem = "the library " + FILE + " in finalist's jar cannot be loaded on "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                    + " (build the jar on such a machine): " + cause.getMessage();
            }
        }
        PROBLEM = problem;
        NAME = handles[0];
        STATUS = handles[1];
        HASH = handles[2];
    }

    private Library() {}

    private static void check() {
        if (PROBLEM != null) {
            throw new UnsupportedOperationException(PROBLEM);
        }
    }

    /** Returns the algorithms that have a digest of fixed length, by names that SQL takes unquoted. */
    static List<Algorithm> algorithms() {
        check();
        List<Algorithm> found = new ArrayList<>();
        byte[] text = new byte[TEXT_BYTES];
        for (int index = 0;; index++) {
            int bytes = textOf(NAME, index, text);
            if (bytes < 0) {
                return found;
            }
            if (bytes > 0) {
                found.add(new Algorithm(string(text).replace('-', '_'), index, bytes));
            }
        }
    }

    /** Returns the digest of the bytes of an array from first on. */
    static byte[] hash(Algorithm algorithm, byte[] in, long first, int bytes) {
        check();
        byte[] digest = new byte[algorithm.bytes()];
        int status;
        try {
            status = (int) HASH.invokeExact(
                algorithm.index(), in, first, (long) bytes, digest, (long) digest.length);
        } catch (Throwable error) {
            throw new IllegalStateException(error);
        }
        if (status != 0) {
            byte[] text = new byte[TEXT_BYTES];
            textOf(STATUS, status, text);
            throw new IllegalStateException(algorithm.name() + ": " + string(text));
        }
        return digest;
    }

    private static int textOf(MethodHandle function, int number, byte[] text) {
        try {
            return (int) function.invokeExact(number, text);
        } catch (Throwable error) {
            throw new IllegalStateException(error);
        }
    }

    private static String string(byte[] text) {
        int end = 0;
        while (text[end] != 0) {
            end++;
        }
        return new String(text, 0, end, StandardCharsets.US_ASCII);
    }

    /** Returns handles of finalist_spark_name, _status and _hash. */
    private static MethodHandle[] load() throws IOException, ReflectiveOperationException {
        Path file = Files.createTempFile("finalist", FILE);
        try (InputStream library = Library.class.getResourceAsStream("/" + FILE)) {
            if (library == null) {
                throw new IOException("it is not there");
            }
            Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
            Foreign foreign = new Foreign(file);
            return new MethodHandle[] {
                foreign.function("finalist_spark_name", int.class, byte[].class),
                foreign.function("finalist_spark_status", int.class, byte[].class),
                foreign.function("finalist_spark_hash", int.class, byte[].class, long.class, long.class,
                    byte[].class, long.class),
            };
        } finally {
            Files.delete(file);
        }
    }

    /** The few calls of java.lang.foreign that this needs. */
    private static final class Foreign {
        private final Class<?> segment = type("MemorySegment");
        private final Class<?> layout = type("MemoryLayout");
        private final Class<?> option = type("Linker$Option");
        private final Object symbols;

        Foreign(Path file) throws ReflectiveOperationException {
            Object arena = type("Arena").getMethod("global").invoke(null);
            symbols = type("SymbolLookup").getMethod("libraryLookup", Path.class, type("Arena"))
                .invoke(null, file, arena);
        }

        private static Class<?> type(String name) throws ClassNotFoundException {
            return Class.forName("java.lang.foreign." + name);
        }

        private Object layoutOf(Class<?> parameter) throws ReflectiveOperationException {
            String name = parameter == int.class ? "JAVA_INT" : parameter == long.class ? "JAVA_LONG" : "ADDRESS";
            return type("ValueLayout").getField(name).get(null);
        }

        /**
         * Returns a handle of a function that returns an int. C reads and writes arrays in place, and garbage
         * collection waits meanwhile: at most for one value's hashing.
         */
        MethodHandle function(String name, Class<?>... parameters) throws ReflectiveOperationException {
            Object layouts = Array.newInstance(layout, parameters.length);
            for (int index = 0; index < parameters.length; index++) {
                Array.set(layouts, index, layoutOf(parameters[index]));
            }
            Object descriptor = type("FunctionDescriptor").getMethod("of", layout, layouts.getClass())
                .invoke(null, layoutOf(int.class), layouts);
            Object options = Array.newInstance(option, 1);
            Array.set(options, 0, option.getMethod("critical", boolean.class).invoke(null, true));
            Object address = ((Optional<?>) type("SymbolLookup").getMethod("find", String.class)
                .invoke(symbols, name)).orElseThrow();
            Object linker = type("Linker").getMethod("nativeLinker").invoke(null);
            MethodHandle handle = (MethodHandle) type("Linker")
                .getMethod("downcallHandle", segment, type("FunctionDescriptor"), options.getClass())
                .invoke(linker, address, descriptor, options);
            MethodHandle ofArray = MethodHandles.publicLookup()
                .findStatic(segment, "ofArray", MethodType.methodType(segment, byte[].class));
            for (int index = 0; index < parameters.length; index++) {
                if (parameters[index] == byte[].class) {
                    handle = MethodHandles.filterArguments(handle, index, ofArray);
                }
            }
            return handle;
        }
    }
}
