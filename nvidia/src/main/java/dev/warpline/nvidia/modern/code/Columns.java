package dev.warpline.nvidia.modern.code;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * Makes room for more rows in a table of columns: an object whose array fields have the same number
 * of elements for every row. Called when a table doubles, never while it is read.
 */
final class Columns {
  private Columns() {}

  /**
   * Replaces every array field by a longer one with the same beginning.
   *
   * @param table the object; all its array fields are columns
   * @param from rows that the columns have room for
   * @param to rows that they shall have room for
   */
  static void grow(Object table, int from, int to) {
    try {
      for (Field field : table.getClass().getDeclaredFields()) {
        if (!field.getType().isArray() || Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        field.setAccessible(true);
        Object old = field.get(table);
        int length = Array.getLength(old);
        Object longer = Array.newInstance(field.getType().getComponentType(), length / from * to);
        System.arraycopy(old, 0, longer, 0, length);
        field.set(table, longer);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
