# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_finalist_global_optspecs
    string join \n h/help V/version
end

function __fish_finalist_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_finalist_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_finalist_using_subcommand
    set -l cmd (__fish_finalist_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c finalist -n "__fish_finalist_needs_command" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_needs_command" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "sum" -d 'Print checksums of files'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "tree" -d 'Roots and proofs of Merkle trees over files'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "manifest" -d 'Tables of files with digests and one root'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "list" -d 'List the implementations in this build'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "selftest" -d 'Test every implementation that this CPU supports with known answers'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "bench" -d 'Measure the speed of the implementations, in core cycles'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "generate" -d 'Write the man pages and the completions of shells'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "report" -d 'Show in charts and tables what every implementation is worth on this CPU'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "check" -d 'Verify files against lists of checksums'
complete -c finalist -n "__fish_finalist_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s a -l algorithm -d 'Hash function [default: blake2b]' -r
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s l -l length -d 'Digest length in bits, a multiple of 8; 0 is the algorithm\'s own' -r
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l key-file -d 'Key of BLAKE2: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l salt -d 'Salt of BLAKE or BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l personal -d 'Personalisation of BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l impl -d 'Implementation of the compression function; "finalist list" names all' -r
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l exclude -d 'With -r, leave out what GLOB matches: a name, or a path below DIRECTORY' -r
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l files0-from -d 'Take the FILEs from FILE, where each name ends with NUL; - is standard input' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s j -l jobs -d 'Threads that read and hash, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l tag -d 'Write lines that name the algorithm: BLAKE2b (FILE) = DIGEST'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l untagged -d 'Write lines that do not name the algorithm (default)'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l base64 -d 'Write digests in base64 instead of hexadecimal'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l raw -d 'Write the bytes of the digest alone, of one FILE'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l json -d 'Write a JSON object a line: file, algorithm, digest_bits, digest; or file, list and result'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l no-names -d 'Write digests without the names of the files'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s z -l zero -d 'End lines with NUL instead of newline, and do not escape names'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s b -l binary -d 'Mark the lines with *, as for binary mode; files are read the same'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s t -l text -d 'Mark the lines with a space, as for text mode (default)'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s r -l recursive -d 'Hash the regular files under directories, in the order of their names'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l follow -d 'With -r, follow symbolic links found in directories'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l sequential -d 'Read one file at a time, in order: for spinning disks'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s c -l check -d 'Read checksum lists from FILEs and verify them, as "finalist check"'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l ignore-missing -d 'Neither fail nor report for missing files'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l quiet -d 'Do not print OK for each verified file'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l status -d 'Print nothing; the exit code tells'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -l strict -d 'Exit with 1 also for improperly formatted lines'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s w -l warn -d 'Warn about each improperly formatted line'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand sum" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and not __fish_seen_subcommand_from root prove verify consistency help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and not __fish_seen_subcommand_from root prove verify consistency help" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and not __fish_seen_subcommand_from root prove verify consistency help" -f -a "root" -d 'Print the root'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and not __fish_seen_subcommand_from root prove verify consistency help" -f -a "prove" -d 'Print a proof that a leaf is in the tree'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and not __fish_seen_subcommand_from root prove verify consistency help" -f -a "verify" -d 'Verify a proof that a leaf is in a tree'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and not __fish_seen_subcommand_from root prove verify consistency help" -f -a "consistency" -d 'Print, or verify, a proof that an older tree is the beginning of a tree'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and not __fish_seen_subcommand_from root prove verify consistency help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -s a -l algorithm -d 'Hash function [default: blake2b]' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -s l -l length -d 'Digest length in bits, a multiple of 8; 0 is the algorithm\'s own' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l key-file -d 'Key of BLAKE2: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l salt -d 'Salt of BLAKE or BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l personal -d 'Personalisation of BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l impl -d 'Implementation of the compression function; "finalist list" names all' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l chunk -d 'Bytes of a chunk, 1 to 2^30' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -s j -l jobs -d 'Threads, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l json -d 'Write a JSON object a line: file, algorithm, digest_bits, chunk_bytes, leaf_count, root'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l count -d 'Write the number of leaves in a comment before each root: "# leaves: 3"'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -l leaf-files -d 'One tree whose leaves are the FILEs'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from root" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l index -d 'The leaf\'s number, from 0' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -s a -l algorithm -d 'Hash function [default: blake2b]' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -s l -l length -d 'Digest length in bits, a multiple of 8; 0 is the algorithm\'s own' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l key-file -d 'Key of BLAKE2: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l salt -d 'Salt of BLAKE or BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l personal -d 'Personalisation of BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l impl -d 'Implementation of the compression function; "finalist list" names all' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l chunk -d 'Bytes of a chunk, 1 to 2^30' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -s j -l jobs -d 'Threads, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -l leaf-files -d 'One tree whose leaves are the FILEs'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from prove" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l root -d 'The tree\'s root: hexadecimal, or the line that "tree root" prints' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l leaves -d 'The number of leaves of the tree, from whom you have the root' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l index -d 'The leaf\'s number, from 0' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l leaf-hash -d 'The leaf\'s hash, instead of the leaf' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -s a -l algorithm -d 'Hash function [default: blake2b]' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -s l -l length -d 'Digest length in bits, a multiple of 8; 0 is the algorithm\'s own' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l key-file -d 'Key of BLAKE2: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l salt -d 'Salt of BLAKE or BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l personal -d 'Personalisation of BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l impl -d 'Implementation of the compression function; "finalist list" names all' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from verify" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l old-leaves -d 'The number of leaves of the older tree' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l verify -d 'Verify this proof' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l old-root -d 'The older tree\'s root: hexadecimal, or the line that "tree root" prints' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l root -d 'The tree\'s root, likewise' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l leaves -d 'The number of leaves of the tree that a proof is verified for' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -s a -l algorithm -d 'Hash function [default: blake2b]' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -s l -l length -d 'Digest length in bits, a multiple of 8; 0 is the algorithm\'s own' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l key-file -d 'Key of BLAKE2: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l salt -d 'Salt of BLAKE or BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l personal -d 'Personalisation of BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l impl -d 'Implementation of the compression function; "finalist list" names all' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l chunk -d 'Bytes of a chunk, 1 to 2^30' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -s j -l jobs -d 'Threads, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -l leaf-files -d 'One tree whose leaves are the FILEs'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from consistency" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from help" -f -a "root" -d 'Print the root'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from help" -f -a "prove" -d 'Print a proof that a leaf is in the tree'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Verify a proof that a leaf is in a tree'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from help" -f -a "consistency" -d 'Print, or verify, a proof that an older tree is the beginning of a tree'
complete -c finalist -n "__fish_finalist_using_subcommand tree; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -f -a "create" -d 'Write the manifest of a directory'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -f -a "verify" -d 'Verify a manifest, or files by a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -f -a "diff" -d 'Show what differs between two manifests'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -f -a "root" -d 'Print the root of a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -f -a "prove" -d 'Print, or verify, a proof that a file is in a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -f -a "update" -d 'Bring a manifest up to date'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and not __fish_seen_subcommand_from create verify diff root prove update help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -s a -l algorithm -d 'Hash function [default: blake2b]' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -s l -l length -d 'Digest length in bits, a multiple of 8; 0 is the algorithm\'s own' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l key-file -d 'Key of BLAKE2: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l salt -d 'Salt of BLAKE or BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l personal -d 'Personalisation of BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l impl -d 'Implementation of the compression function; "finalist list" names all' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l exclude -d 'Leave out what GLOB matches: a name, or a path below DIRECTORY' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l files0-from -d 'Take the files from FILE, paths below DIRECTORY that end with NUL; - is standard input' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -s j -l jobs -d 'Threads that read and hash, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -s o -l output -d 'Write the manifest to FILE [default: a checksum list on standard output]' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l follow -d 'Follow symbolic links found in directories'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -l sequential -d 'Read one file at a time, in order: for spinning disks'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from create" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -l key-file -d 'Key of a keyed manifest: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -l exclude -d 'Leave out what GLOB matches: a name, or a path below DIRECTORY' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -l files0-from -d 'Take the files from FILE, paths below DIRECTORY that end with NUL; - is standard input' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -s j -l jobs -d 'Threads that read and hash, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -l root -d 'The root that the manifest must have: hexadecimal, or the line that "manifest root" prints' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -l follow -d 'Follow symbolic links found in directories'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -l sequential -d 'Read one file at a time, in order: for spinning disks'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from verify" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from diff" -l key-file -d 'Key of a keyed manifest: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from diff" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from diff" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from root" -l key-file -d 'Key of a keyed manifest: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from root" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from root" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from prove" -l key-file -d 'Key of a keyed manifest: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from prove" -l verify -d 'Verify this proof' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from prove" -l root -d 'The manifest\'s root: hexadecimal, or the line that "manifest root" prints' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from prove" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from prove" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -l key-file -d 'Key of a keyed manifest: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -l exclude -d 'Leave out what GLOB matches: a name, or a path below DIRECTORY' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -l files0-from -d 'Take the files from FILE, paths below DIRECTORY that end with NUL; - is standard input' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -s j -l jobs -d 'Threads that read and hash, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -s o -l output -d 'Write the manifest to FILE [default: MANIFEST]' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -l follow -d 'Follow symbolic links found in directories'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -l sequential -d 'Read one file at a time, in order: for spinning disks'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from update" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from help" -f -a "create" -d 'Write the manifest of a directory'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from help" -f -a "verify" -d 'Verify a manifest, or files by a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from help" -f -a "diff" -d 'Show what differs between two manifests'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from help" -f -a "root" -d 'Print the root of a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from help" -f -a "prove" -d 'Print, or verify, a proof that a file is in a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from help" -f -a "update" -d 'Bring a manifest up to date'
complete -c finalist -n "__fish_finalist_using_subcommand manifest; and __fish_seen_subcommand_from help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c finalist -n "__fish_finalist_using_subcommand list" -l json -d 'Print one JSON array of objects'
complete -c finalist -n "__fish_finalist_using_subcommand list" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_using_subcommand list" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand selftest" -l impl -d 'Test these implementations only: names, as ttable64 or blake256=portable' -r
complete -c finalist -n "__fish_finalist_using_subcommand selftest" -l vectors -d 'Test with the vectors of these files, in JSON lines, instead of those built in' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand selftest" -l json -d 'Print one JSON object with the fields passed, failed and failures'
complete -c finalist -n "__fish_finalist_using_subcommand selftest" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_using_subcommand selftest" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand bench" -s a -l algorithm -d 'Time this algorithm only [default: one for each compression function]' -r
complete -c finalist -n "__fish_finalist_using_subcommand bench" -l impl -d 'Time these implementations only: names, as ttable64 or blake256=portable' -r
complete -c finalist -n "__fish_finalist_using_subcommand bench" -l mode -d 'One message at a time, many at once, or trees over one message with one thread and with all' -r -f -a "single\t''
multi\t''
tree\t''"
complete -c finalist -n "__fish_finalist_using_subcommand bench" -l bytes -d 'Lengths of the message [default: 1,64,4096,1048576; of trees 1048576,16777216]' -r
complete -c finalist -n "__fish_finalist_using_subcommand bench" -l json -d 'Print one JSON array of objects'
complete -c finalist -n "__fish_finalist_using_subcommand bench" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_using_subcommand bench" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand generate" -s h -l help -d 'Print help'
complete -c finalist -n "__fish_finalist_using_subcommand generate" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand report" -s o -l output -d 'Write here [default: report.html; standard output for json, csv and md; folder for svg]' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand report" -l format -d 'One HTML file, the charts alone, the raw figures, or the tables' -r -f -a "html\t''
svg\t''
json\t''
csv\t''
md\t''"
complete -c finalist -n "__fish_finalist_using_subcommand report" -l only -d 'Write this section only' -r
complete -c finalist -n "__fish_finalist_using_subcommand report" -l seconds -d 'Measure for so long, and trees as with --quick' -r
complete -c finalist -n "__fish_finalist_using_subcommand report" -l remark -d 'What the reader should know of the machine' -r
complete -c finalist -n "__fish_finalist_using_subcommand report" -l compare -d 'Tell which rows of the second file are slower or faster than those of the first' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand report" -l quick -d 'Measure for one minute instead of seven'
complete -c finalist -n "__fish_finalist_using_subcommand report" -l measure -d 'Measure this machine although files are given'
complete -c finalist -n "__fish_finalist_using_subcommand report" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand report" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s a -l algorithm -d 'Hash function [default: blake2b]' -r
complete -c finalist -n "__fish_finalist_using_subcommand check" -l key-file -d 'Key of BLAKE2: the bytes of FILE, all of them, a line end too' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand check" -l salt -d 'Salt of BLAKE or BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand check" -l personal -d 'Personalisation of BLAKE2 in hexadecimal' -r
complete -c finalist -n "__fish_finalist_using_subcommand check" -l impl -d 'Implementation of the compression function; "finalist list" names all' -r
complete -c finalist -n "__fish_finalist_using_subcommand check" -s j -l jobs -d 'Threads that read and hash, 1 to 1024 [default: one for each CPU]' -r
complete -c finalist -n "__fish_finalist_using_subcommand check" -s l -l length -d 'Digest length in bits, a multiple of 8; 0 is the algorithm\'s own' -r
complete -c finalist -n "__fish_finalist_using_subcommand check" -l exclude -d 'With -r, leave out what GLOB matches: a name, or a path below DIRECTORY' -r
complete -c finalist -n "__fish_finalist_using_subcommand check" -l files0-from -d 'Take the FILEs from FILE, where each name ends with NUL; - is standard input' -r -F
complete -c finalist -n "__fish_finalist_using_subcommand check" -l no-progress -d 'Draw no progress bar'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l json -d 'Write a JSON object a line: file, algorithm, digest_bits, digest; or file, list and result'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l sequential -d 'Read one file at a time, in order: for spinning disks'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l ignore-missing -d 'Neither fail nor report for missing files'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l quiet -d 'Do not print OK for each verified file'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l status -d 'Print nothing; the exit code tells'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l strict -d 'Exit with 1 also for improperly formatted lines'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s w -l warn -d 'Warn about each improperly formatted line'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l tag -d 'Write lines that name the algorithm: BLAKE2b (FILE) = DIGEST'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l untagged -d 'Write lines that do not name the algorithm (default)'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l base64 -d 'Write digests in base64 instead of hexadecimal'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l raw -d 'Write the bytes of the digest alone, of one FILE'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l no-names -d 'Write digests without the names of the files'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s z -l zero -d 'End lines with NUL instead of newline, and do not escape names'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s b -l binary -d 'Mark the lines with *, as for binary mode; files are read the same'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s t -l text -d 'Mark the lines with a space, as for text mode (default)'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s r -l recursive -d 'Hash the regular files under directories, in the order of their names'
complete -c finalist -n "__fish_finalist_using_subcommand check" -l follow -d 'With -r, follow symbolic links found in directories'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s c -l check -d 'Read checksum lists from FILEs and verify them, as "finalist check"'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c finalist -n "__fish_finalist_using_subcommand check" -s V -l version -d 'Print version'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "sum" -d 'Print checksums of files'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "tree" -d 'Roots and proofs of Merkle trees over files'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "manifest" -d 'Tables of files with digests and one root'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "list" -d 'List the implementations in this build'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "selftest" -d 'Test every implementation that this CPU supports with known answers'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "bench" -d 'Measure the speed of the implementations, in core cycles'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "generate" -d 'Write the man pages and the completions of shells'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "report" -d 'Show in charts and tables what every implementation is worth on this CPU'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "check" -d 'Verify files against lists of checksums'
complete -c finalist -n "__fish_finalist_using_subcommand help; and not __fish_seen_subcommand_from sum tree manifest list selftest bench generate report check help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from tree" -f -a "root" -d 'Print the root'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from tree" -f -a "prove" -d 'Print a proof that a leaf is in the tree'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from tree" -f -a "verify" -d 'Verify a proof that a leaf is in a tree'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from tree" -f -a "consistency" -d 'Print, or verify, a proof that an older tree is the beginning of a tree'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from manifest" -f -a "create" -d 'Write the manifest of a directory'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from manifest" -f -a "verify" -d 'Verify a manifest, or files by a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from manifest" -f -a "diff" -d 'Show what differs between two manifests'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from manifest" -f -a "root" -d 'Print the root of a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from manifest" -f -a "prove" -d 'Print, or verify, a proof that a file is in a manifest'
complete -c finalist -n "__fish_finalist_using_subcommand help; and __fish_seen_subcommand_from manifest" -f -a "update" -d 'Bring a manifest up to date'
