/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Names and strings out of the values of macros. Assembly includes this, too.
 */
#ifndef FIN_NAMES_H
#define FIN_NAMES_H

#define FIN_CAT_(a, b) a##b
#define FIN_CAT(a, b) FIN_CAT_(a, b)
#define FIN_TEXT_(x) #x
#define FIN_TEXT(x) FIN_TEXT_(x)

#endif
